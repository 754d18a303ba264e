import './styles/tags.ts';
import { MultiSelect, TagsInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { longestTag, mostTags } from '../../../src/contract/callRules.ts';
import type { CallTag } from '../../../src/contract/calls.ts';
import type { CodeWithLabel } from '../../../src/contract/values.ts';

type Props = {
  /** The company's tags. */
  choices: readonly CodeWithLabel[];
  /** Whether other words will do, too. */
  isFree: boolean;
  /** In their order; such as the company has no more stay until they are taken away. */
  chosen: readonly CallTag[];
  onChange: (chosen: CallTag[]) => void;
  error?: string | undefined;
};

/** What a call is marked with. */
export function TagField({ choices, isFree, chosen, onChange, error }: Props) {
  const { t } = useTranslation();
  const all = [
    ...choices,
    ...chosen.filter((tag) => tag.code === null || !choices.some(({ code }) => code === tag.code)),
  ];
  const tagOf = (label: string): CallTag => all.find((tag) => tag.label === label) ?? { code: null, label };
  const field = {
    label: t('shared.tags.label'),
    value: chosen.map(({ label }) => label),
    onChange: (labels: string[]) => onChange(labels.map(tagOf).map(({ code, label }) => ({ code, label }))),
    maxDropdownHeight: 200,
    error,
  };
  // Two tags of the same name would be one to who reads them.
  const names = [...new Set(all.map(({ label }) => label))];
  return (
    <div role="presentation" onKeyDown={keepForm}>
      {isFree ? (
        <TagsInput
          {...field}
          data={names}
          placeholder={chosen.length === 0 ? t('shared.tags.freeHint') : ''}
          maxTags={mostTags}
          maxLength={longestTag}
        />
      ) : (
        <MultiSelect
          {...field}
          data={names}
          searchable
          hidePickedOptions
          maxValues={mostTags}
          nothingFoundMessage={t('shared.tags.none')}
          placeholder={chosen.length === 0 ? t('shared.tags.hint') : ''}
        />
      )}
    </div>
  );
}

/** Enter chooses a tag, and never sends the form around. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
}
