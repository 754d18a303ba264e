import { Button, CloseButton, EmptyState, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAddressBook, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { More } from '../crm/More.tsx';
import { ContactFilters, useContactFilter, useContactSort } from './ContactFilters.tsx';
import { ContactList } from './ContactList.tsx';
import { contactsQuery, entriesOf, typingPauseMs } from './contactQueries.ts';
import { FoundContacts } from './FoundContacts.tsx';

/** The contacts of the company, and a search among them as somebody types. */
export function ContactsPage() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), typingPauseMs);
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
  const filter = useContactFilter();
  const sort = useContactSort();
  const query = useInfiniteQuery(contactsQuery({ ...filter, sort }));
  const isNarrowed = Object.keys(filter).length > 0;
  const contacts = entriesOf(query.data, (page) => page.contacts);
  return (
    <>
      <ContactFilters />
      <Loaded query={query}>
        {() =>
          contacts.length === 0 ? (
            <EmptyState
              icon={<IconAddressBook />}
              title={t(isNarrowed ? 'crmArea.contacts.noneSuchTitle' : 'crmArea.contacts.noneTitle')}
              description={t(isNarrowed ? 'crmArea.contacts.noneSuchText' : 'crmArea.contacts.noneText')}
            />
          ) : (
            <div>
              <ContactList contacts={contacts} />
              <More query={query} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
