import { OpenElsewhere } from './OpenElsewhere.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Shown while another tab or device of the same agent is the softphone. */
export function ReplacedScreen() {
  const { workplace } = useWorkplace();
  return (
    <OpenElsewhere
      title="Your softphone is open somewhere else"
      text="Your softphone is open in another tab or on another device. Calls and customers are shown there."
      action="Take it back to this page"
      onAction={() => workplace.takeOver()}
    />
  );
}
