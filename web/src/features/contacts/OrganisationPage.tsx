import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { recordAddress } from '../../shared/RecordLink.tsx';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Listed } from '../crm/Listed.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { ContactList } from './ContactList.tsx';
import { contactsQuery, organisationQuery } from './contactQueries.ts';
import classes from './Timeline.module.css';
import { EditOrganisation } from './EditOrganisation.tsx';

/** An organisation, and who of it is known. */
export function OrganisationPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = useQuery(organisationQuery(id));
  return (
    <AreaPage title={query.data?.name ?? t('crmArea.contact.organisation')}>
      <Loaded query={query}>{(organisation) => <OneOrganisation key={id} organisation={organisation} />}</Loaded>
    </AreaPage>
  );
}

function OneOrganisation({ organisation }: { organisation: OrganisationView }) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      {isEditing ? (
        <EditOrganisation organisation={organisation} onDone={() => setEditing(false)} />
      ) : (
        <About organisation={organisation} onEdit={() => setEditing(true)} />
      )}
      <Paper component="section" withBorder p="sm" aria-label={t('crmArea.areas.contacts')}>
        <Title order={3}>{t('crmArea.areas.contacts')}</Title>
        <Members organisation={organisation.id} />
      </Paper>
    </>
  );
}

function About({ organisation: { website, notes }, onEdit }: { organisation: OrganisationView; onEdit: () => void }) {
  const { t } = useTranslation();
  const address = recordAddress(website ?? '');
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        {address === null ? (
          <Text size="sm">{website}</Text>
        ) : (
          <Anchor href={address} target="_blank" rel="noopener noreferrer" size="sm">
            {website}
          </Anchor>
        )}
        <div className={classes.text}>{notes}</div>
      </div>
      <Button size="xs" variant="default" onClick={onEdit}>
        {t('crmArea.form.edit')}
      </Button>
    </Group>
  );
}

function Members({ organisation }: { organisation: string }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(contactsQuery({ organisation }));
  const nobody = (
    <Text size="sm" c="dimmed">
      {t('crmArea.organisation.nobody')}
    </Text>
  );
  return (
    <Listed query={query} none={nobody}>
      {(contacts) => <ContactList contacts={contacts} />}
    </Listed>
  );
}
