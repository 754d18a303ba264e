import { Anchor, Text, Title } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Loaded } from '../crm/Loaded.tsx';
import listClasses from './ContactList.module.css';
import { ContactList } from './ContactList.tsx';
import { mostFound, searchQuery } from './contactQueries.ts';

/**
 * What a search finds; what was found before stays until the answer comes,
 * and an answer that nobody waits for is aborted.
 */
export function FoundContacts({ asked }: { asked: string }) {
  const { t } = useTranslation();
  const query = useQuery({ ...searchQuery(asked), placeholderData: keepPreviousData, staleTime: 10_000 });
  return (
    <Loaded query={query}>
      {({ contacts, organisations }) => (
        <div aria-busy={query.isFetching}>
          <Text component="output" display="block" size="xs" c="dimmed">
            {contacts.length > mostFound
              ? t('crmArea.contacts.foundFirst', { count: mostFound })
              : t('crmArea.contacts.found', { count: contacts.length })}
          </Text>
          <ContactList
            contacts={contacts.slice(0, mostFound).map(({ phone_number, email, ...found }) => ({
              ...found,
              tags: [],
              phones: phone_number === null ? [] : [{ phone_number, primary: true }],
              emails: email === null ? [] : [{ email, primary: true }],
            }))}
          />
          {organisations.length > 0 && (
            <>
              <Title order={3} mt="md">
                {t('crmArea.organisation.several')}
              </Title>
              <ul className={listClasses.list}>
                {organisations.map(({ id, name }) => (
                  <li key={id} className={listClasses.row}>
                    <Anchor component={Link} to={`/organisations/${id}`} inherit>
                      <IconBuilding size={14} aria-hidden /> {name}
                    </Anchor>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
