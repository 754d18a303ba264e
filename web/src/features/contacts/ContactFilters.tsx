import { Button, Group, NativeSelect } from '@mantine/core';
import { IconUser, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { ContactSort } from '../../../../src/contract/contacts.ts';
import { signedIn } from '../../lib/gateway/signIn.ts';

/**
 * What the list of contacts is narrowed to, as `GET /api/crm/contacts` takes it.
 * It stands in the address, so that going back finds it again.
 */
export function useContactFilter(): { owner?: string; tag?: string } {
  const [asked] = useSearchParams();
  const me = signedIn()?.agent.id;
  const tag = asked.get('tag');
  return { ...(asked.has('mine') && me !== undefined ? { owner: me } : {}), ...(tag === null ? {} : { tag }) };
}

/** What people sort by. */
const sorts = ['name', '-created', '-updated'] as const satisfies readonly ContactSort[];
const sortName = { name: 'byName', '-created': 'byCreated', '-updated': 'byUpdated' } as const;

/** What the list is sorted by, which stands in the address too; by name where nobody has chosen. */
export function useContactSort(): (typeof sorts)[number] {
  const [asked] = useSearchParams();
  return sorts.find((sort) => sort === asked.get('sort')) ?? 'name';
}

/** Narrows the list to the agent's own contacts, and sorts it; a tag that was chosen in the list is taken away here. */
export function ContactFilters() {
  const { t } = useTranslation();
  const [asked, ask] = useSearchParams();
  const sort = useContactSort();
  const isMine = asked.has('mine');
  const tag = asked.get('tag');
  const change = (name: string, value: string | null) =>
    ask((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  return (
    <Group gap="xs" my="xs">
      <Button
        size="compact-xs"
        variant={isMine ? 'filled' : 'default'}
        aria-pressed={isMine}
        leftSection={<IconUser size={14} aria-hidden />}
        onClick={() => change('mine', isMine ? null : '1')}
      >
        {t('crmArea.contacts.mine')}
      </Button>
      <NativeSelect
        size="xs"
        aria-label={t('crmArea.contacts.sort')}
        data={sorts.map((value) => ({ value, label: t(`crmArea.contacts.${sortName[value]}`) }))}
        value={sort}
        onChange={(event) => change('sort', event.currentTarget.value)}
      />
      {tag !== null && (
        <Button
          size="compact-xs"
          title={t('crmArea.contacts.clearTag', { tag })}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => change('tag', null)}
        >
          {t('crmArea.contacts.tagged', { tag })}
        </Button>
      )}
    </Group>
  );
}
