import type { CallTag } from '../../../../src/contract/calls.ts';
import { TagField } from '../../shared/TagField.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** What the agent marks a call with; nothing where the company has no tags. */
export function TagChoice({ chosen, onChange }: { chosen: readonly CallTag[]; onChange: (chosen: CallTag[]) => void }) {
  const { settings } = useWorkplace().view;
  // Gateways of before know of none.
  const { tags = [], free_tags: isFree = false } = settings ?? {};
  if (tags.length === 0 && !isFree && chosen.length === 0) return null;
  return <TagField choices={tags} isFree={isFree} chosen={chosen} onChange={onChange} />;
}
