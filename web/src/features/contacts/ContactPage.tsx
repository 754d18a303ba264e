import { Anchor, Badge, Button, Group, Stack } from '@mantine/core';
import { IconPhoneOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { ContactFacts } from './ContactFacts.tsx';
import classes from './ContactPage.module.css';
import { contactQuery } from './contactQueries.ts';
import { contactTitle } from './contactText.ts';
import { OpenDeals } from './OpenDeals.tsx';
import { OpenTasks } from './OpenTasks.tsx';
import { Timeline } from './Timeline.tsx';

/** Who a contact is, and what happened with it. */
export function ContactPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = useQuery(contactQuery(id));
  if (query.error instanceof ApiProblem && query.error.status === 404) return <NoContact />;
  return query.data === undefined ? (
    <AreaPage title={t('crmArea.contact.title')}>
      <Loaded query={query}>{() => null}</Loaded>
    </AreaPage>
  ) : (
    <OneContact key={id} contact={query.data} />
  );
}

function OneContact({ contact }: { contact: ContactView }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const title = (
    <Group gap="xs" component="span">
      <bdi>{contactTitle(t, phoneText, contact)}</bdi>
      {contact.do_not_call && (
        <Badge component="span" color="red" tt="none" radius="sm" leftSection={<IconPhoneOff size={12} aria-hidden />}>
          {t('crmArea.contact.doNotCall')}
        </Badge>
      )}
    </Group>
  );
  return (
    <AreaPage
      title={title}
      actions={
        <>
          {mayMerge() && (
            <Button component={Link} to={`/contacts/${contact.id}/merge`} size="xs" variant="default">
              {t('crmArea.merge.button')}
            </Button>
          )}
          <Button component={Link} to={`/contacts/${contact.id}/edit`} size="xs" variant="default">
            {t('crmArea.form.edit')}
          </Button>
        </>
      }
    >
      <div className={classes.columns}>
        <Stack gap="md">
          <ContactFacts contact={contact} />
          <OpenTasks contactId={contact.id} />
          <OpenDeals contactId={contact.id} />
        </Stack>
        <Timeline contactId={contact.id} />
      </div>
    </AreaPage>
  );
}

/** As the gateway has it: supervisors and admins. */
function mayMerge(): boolean {
  const role = signedIn()?.agent.role;
  return role === 'supervisor' || role === 'admin';
}

/** It was removed, or is nobody that this agent may see. */
function NoContact() {
  const { t } = useTranslation();
  return (
    <AreaPage title={t('crmArea.contact.goneTitle')}>
      <p>{t('crmArea.contact.goneText')}</p>
      <Anchor component={Link} to="/contacts">
        {t('crmArea.contact.toContacts')}
      </Anchor>
    </AreaPage>
  );
}
