import { Anchor, Badge, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { ownValue } from '../../../../src/contract/ownValue.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { fieldsQuery } from '../../shared/sharedQueries.ts';
import { formatOfKind } from '../../shared/values/formatOfKind.ts';
import { useWriter, ValueText } from '../../shared/values/ValueText.tsx';
import { writeValue } from '../../shared/values/writeValue.ts';
import classes from './ContactFacts.module.css';
import { DialButton } from './DialButton.tsx';
import { LocalTime } from './LocalTime.tsx';
import { useLanguageName } from './languageName.ts';
import { SharedWith } from './SharedWith.tsx';

/** What is known of a contact; what is not known takes no room. */
export function ContactFacts({ contact }: { contact: ContactView }) {
  const { t } = useTranslation();
  const fields = useQuery(fieldsQuery);
  const languageName = useLanguageName();
  const facts: [string, ReactNode][] = [
    [t('crmArea.contact.phones'), contact.phones.length > 0 && <Phones contact={contact} />],
    [t('crmArea.contact.emails'), contact.emails.length > 0 && <Emails contact={contact} />],
    [
      t('crmArea.contact.organisation'),
      contact.organisation !== null && (
        <Anchor inherit component={Link} to={`/organisations/${contact.organisation.id}`}>
          {contact.organisation.name}
        </Anchor>
      ),
    ],
    [t('crmArea.contact.owner'), contact.owner?.name],
    [t('crmArea.contact.tier'), contact.tier],
    [t('crmArea.contact.tags'), contact.tags.length > 0 && <Tags tags={contact.tags} />],
    [t('crmArea.contact.language'), contact.language !== null && languageName(contact.language)],
    [t('crmArea.contact.timeZone'), contact.time_zone !== null && <LocalTime timeZone={contact.time_zone} />],
    ...(fields.data ?? []).map((field): [string, ReactNode] => {
      const value = ownValue(contact.fields, field.key);
      return [field.label, value !== undefined && <FieldValue field={field} value={value} />];
    }),
    [t('crmArea.contact.externalId'), contact.external_id],
    [t('crmArea.contact.notes'), contact.notes],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '');
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('crmArea.contact.facts')}>
      {contact.do_not_call && (
        <Text size="sm" mb="xs">
          {t('shared.problem.do_not_call')}
        </Text>
      )}
      <dl className={classes.facts}>
        {known.map(([name, value], index) => (
          <Fragment key={`${String(index)} ${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Paper>
  );
}

function Phones({ contact }: { contact: ContactView }) {
  return contact.phones.map(({ phone_number, label, primary, shared_with }) => (
    <div key={phone_number}>
      <Group gap={4} wrap="nowrap">
        <DialButton phone={phone_number} contact={contact} />
        <PhoneNumber number={phone_number} />
        <Label label={label} isPrimary={primary && contact.phones.length > 1} />
      </Group>
      {shared_with !== undefined && <SharedWith others={shared_with} />}
    </div>
  ));
}

function Emails({ contact }: { contact: ContactView }) {
  return contact.emails.map(({ email, label, primary }) => (
    <div key={email}>
      <Anchor inherit href={`mailto:${email}`}>
        {email}
      </Anchor>{' '}
      <Label label={label} isPrimary={primary && contact.emails.length > 1} />
    </div>
  ));
}

function Label({ label, isPrimary }: { label: string | null; isPrimary: boolean }) {
  const { t } = useTranslation();
  const text = [label, isPrimary ? t('crmArea.contact.primary') : null]
    .filter((part) => part !== null && part !== '')
    .join(', ');
  return (
    <Text span size="xs" c="dimmed">
      {text}
    </Text>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} color="gray" variant="light" tt="none">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

/** The value of a field that the company has defined, as its reader is used to. */
function FieldValue({ field, value }: { field: FieldView; value: string | number }) {
  const writer = useWriter();
  const came = String(value);
  const written = writeValue(
    writer,
    { type: typeof value === 'number' ? 'number' : 'text', text: came },
    { format: formatOfKind(field.kind) },
  );
  return <ValueText value={written} came={came} />;
}
