import { Button, CloseButton, EmptyState, TextInput } from '@mantine/core';
import { IconAddressBook, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useTyped } from '../../shared/list/useTyped.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Listed } from '../crm/Listed.tsx';
import { ContactFilters, useContactFilter } from './ContactFilters.tsx';
import { ContactList } from './ContactList.tsx';
import { contactsQuery } from './contactQueries.ts';
import { FoundContacts } from './FoundContacts.tsx';

/** The contacts of the company, and a search among them as somebody types. */
export function ContactsPage() {
  const { t } = useTranslation();
  const { typed, setTyped, asked } = useTyped();
  const add = (
    <Button component={Link} to="/contacts/new" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
      {t('crmArea.form.newContact')}
    </Button>
  );
  return (
    <AreaPage title={t('crmArea.areas.contacts')} actions={add}>
      <TextInput
        type="search"
        aria-label={t('crmArea.contacts.search')}
        placeholder={t('crmArea.contacts.searchHint')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed === '' ? null : (
            <CloseButton size="sm" aria-label={t('crmArea.contacts.clear')} onClick={() => setTyped('')} />
          )
        }
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {asked === '' ? <ListedContacts /> : <FoundContacts asked={asked} />}
    </AreaPage>
  );
}

function ListedContacts() {
  const { t } = useTranslation();
  const { owner, tag, sort, set } = useContactFilter();
  const query = useInfiniteQuery(contactsQuery({ owner, tag, sort }));
  const isNarrowed = owner !== '' || tag !== '';
  return (
    <>
      <ContactFilters isMine={owner !== ''} tag={tag} sort={sort} onChange={set} />
      <Listed
        query={query}
        none={
          <EmptyState
            icon={<IconAddressBook />}
            title={t(isNarrowed ? 'crmArea.contacts.noneSuchTitle' : 'crmArea.contacts.noneTitle')}
            description={t(isNarrowed ? 'crmArea.contacts.noneSuchText' : 'crmArea.contacts.noneText')}
          />
        }
      >
        {(contacts) => <ContactList contacts={contacts} />}
      </Listed>
    </>
  );
}
