import { EmptyState } from '@mantine/core';
import { IconAddressBook } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { More } from '../crm/More.tsx';
import { ContactList } from './ContactList.tsx';
import { contactsQuery, entriesOf } from './contactQueries.ts';

/** The contacts of the company. */
export function ContactsPage() {
  const { t } = useTranslation();
  const query = useInfiniteQuery(contactsQuery());
  const contacts = entriesOf(query.data, (page) => page.contacts);
  return (
    <AreaPage title={t('crmArea.areas.contacts')}>
      <Loaded query={query}>
        {() =>
          contacts.length === 0 ? (
            <EmptyState icon={<IconAddressBook />} title={t('crmArea.contacts.noneTitle')} description={t('crmArea.contacts.noneText')} />
          ) : (
            <>
              <ContactList contacts={contacts} />
              <More query={query} />
            </>
          )
        }
      </Loaded>
    </AreaPage>
  );
}
