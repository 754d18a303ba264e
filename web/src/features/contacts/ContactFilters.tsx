import { Button, Group, NativeSelect } from '@mantine/core';
import { IconUser, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ContactSort } from '../../../../src/contract/contacts.ts';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { useAddressFilter } from '../../shared/list/addressFilter.ts';

/** What people sort by. */
const sorts = ['name', '-created', '-updated'] as const satisfies readonly ContactSort[];
const sortName = { name: 'byName', '-created': 'byCreated', '-updated': 'byUpdated' } as const;
type Sort = (typeof sorts)[number];

/**
 * What the list of contacts is narrowed to and sorted by, as `GET /api/crm/contacts` takes it; empty: not.
 * It stands in the address, so that going back finds it again.
 */
export function useContactFilter() {
  const { filter, set } = useAddressFilter(['mine', 'tag', 'sort'], '', true);
  const sort: Sort = sorts.find((one) => one === filter.sort) ?? 'name';
  return { owner: filter.mine === '' ? '' : (signedIn()?.agent.id ?? ''), tag: filter.tag, sort, set };
}

type Props = {
  isMine: boolean;
  tag: string;
  sort: Sort;
  onChange: (change: { mine?: string; tag?: string; sort?: string }) => void;
};

/** Narrows the list to the agent's own contacts, and sorts it; a tag that was chosen in the list is taken away here. */
export function ContactFilters({ isMine, tag, sort, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" my="xs">
      <Button
        size="compact-xs"
        variant={isMine ? 'filled' : 'default'}
        aria-pressed={isMine}
        leftSection={<IconUser size={14} aria-hidden />}
        onClick={() => onChange({ mine: isMine ? '' : '1' })}
      >
        {t('crmArea.contacts.mine')}
      </Button>
      <NativeSelect
        size="xs"
        aria-label={t('crmArea.contacts.sort')}
        data={sorts.map((value) => ({ value, label: t(`crmArea.contacts.${sortName[value]}`) }))}
        value={sort}
        onChange={(event) => onChange({ sort: event.currentTarget.value })}
      />
      {tag !== '' && (
        <Button
          size="compact-xs"
          title={t('crmArea.contacts.clearTag', { tag })}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => onChange({ tag: '' })}
        >
          {t('crmArea.contacts.tagged', { tag })}
        </Button>
      )}
    </Group>
  );
}
