import { Anchor, Badge, Button, Group, Text, Title } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCandidate } from '../../../../src/contract/chosenCandidate.ts';
import type { ScreenPop } from '../../../../src/contract/screenPops.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import type { Catalog, Translate } from '../../lib/i18n/catalog.ts';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { RecordLink } from '../../shared/RecordLink.tsx';
import classes from './CustomerCard.module.css';
import { type CustomerField, customerFields } from './customerFields.ts';
import { LookingUp } from './LookingUp.tsx';

/** What is known of a customer, of whom something may be known of a call as well. */
export type ShownPop = Pick<CrmScreenPop, 'phone_number' | 'screen_pop'> & Partial<CrmScreenPop>;

type Props = { pop: ShownPop; /** Beside the link to the record in the CRM. */ links?: ReactNode; /** What is known of the contact of the built-in CRM. */ contact?: ReactNode };

/** A customer's name, tier, links and fields. */
export function CustomerDetails({ pop, links, contact }: Props) {
  const { t } = useTranslation();
  const { screen_pop: known } = pop;
  const name = known.name?.trim() ?? '';
  const end = { phone: pop.phone_number, caller: pop.caller };
  const crm = customerFields(t, pop.exact?.crm ?? JSON.stringify(known.crm ?? {})).filter((field) => !isRepeated(field, known)).map((field) => inWords(t, field));
  const isKnown = Object.entries(known).some(([key, value]) => key !== 'phone' && value !== null && value !== '');
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} className={classes.name}>
          <OtherEnd name={name} {...end} />
        </Title>
        {typeof known.vip_tier === 'string' && known.vip_tier !== '' && (
          <Badge color="yellow" tt="none" radius="sm" className={classes.tier} leftSection={<IconStarFilled size={10} aria-hidden />}>
            {known.vip_tier}
          </Badge>
        )}
      </Group>
      {name !== '' && <Text size="sm"><OtherEnd {...end} /></Text>}
      {pop.looking_up === true && <LookingUp />}
      {!isKnown && pop.looking_up !== true && <Text size="sm">{t('softphone.customer.unknown')}</Text>}
      <Group gap="xs" className={classes.record ?? ''}>
        <RecordLink record={known} />
        {links}
      </Group>
      <FieldList fields={[...ownFields(t, pop), ...crm]} />
      {contact}
      <FieldList title={t('softphone.customer.aboutCall')} fields={callFields(t, pop)} />
    </>
  );
}

function ownFields(t: Translate, { screen_pop: known, phone_number, external_id }: ShownPop): CustomerField[] {
  const isToChoose = known.candidates !== undefined && chosenCandidate(known) === null;
  return recordFields(t, {
    ...(known.phone === undefined || known.phone === phone_number ? {} : { phone: known.phone }),
    ...(isEmpty(known.email) ? {} : { email: known.email }),
    ...(isToChoose || known.record_url !== undefined || isEmpty(known.external_system) ? {} : { external_system: known.external_system }),
    ...(isEmpty(known.external_id ?? external_id) ? {} : { external_id: known.external_id ?? external_id }),
  });
}

function callFields(t: Translate, pop: ShownPop): CustomerField[] {
  const isOtherId = pop.external_id !== undefined && ![undefined, pop.external_id].includes(pop.screen_pop.external_id);
  return [
    ...recordFields(t, {
      ...(pop.campaign_id === undefined ? {} : { campaign_id: pop.campaign_id }),
      ...(pop.contact_id === undefined ? {} : { contact_id: pop.contact_id }),
      ...(isOtherId ? { external_id: pop.external_id } : {}),
    }),
    ...customerFields(t, pop.exact?.metadata ?? JSON.stringify(pop.metadata ?? {})),
  ];
}

/** These two have names in every language; what else a CRM tells, it names. */
function inWords(t: Translate, field: CustomerField): CustomerField {
  return field.key === 'account_number' || field.key === 'open_tickets' ? { ...field, label: t(`softphone.customer.field.${field.key}`) } : field;
}

/** What a CRM pushes as name and address is shown above already. */
function isRepeated({ key, text }: CustomerField, { name, email }: ScreenPop): boolean {
  return (key === 'name' && text === name) || (key === 'email' && text === email);
}

type OwnField = keyof Catalog['softphone']['customer']['field'];

/** What the gateway knows a record by has names in every language; what a CRM calls its fields is the CRM's. */
function recordFields(t: Translate, record: Partial<Record<OwnField, string | undefined>>): CustomerField[] {
  return customerFields(t, JSON.stringify(record)).map((field) => ({ ...field, label: t(`softphone.customer.field.${field.key as OwnField}`), isPhone: field.key === 'phone' }));
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === '';
}

/** So many are shown at first; a record may hold thousands. */
const shownAtFirst = 40;
/** Longer values scroll in themselves. */
const longText = 300;

/** Names and values, every one readable; nothing without fields. */
function FieldList({ fields, title }: { fields: readonly CustomerField[]; title?: string }) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  if (fields.length === 0) return null;
  const shown = showsAll ? fields : fields.slice(0, shownAtFirst);
  return (
    <>
      {title !== undefined && (
        <Title order={3} size="sm" mt="sm">
          {title}
        </Title>
      )}
      <dl className={classes.list}>
        {shown.map((field, index) => (
          <Fragment key={`${String(index)} ${field.key}`}>
            <dt title={field.key}>{field.label}</dt>
            <dd>
              <Value field={field} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {shown.length < fields.length && (
        <Button size="compact-xs" variant="subtle" mt="xs" onClick={() => setShowsAll(true)}>
          {t('softphone.customer.showMore', { count: fields.length - shown.length })}
        </Button>
      )}
    </>
  );
}

function Value({ field: { text, href, label, isPhone } }: { field: CustomerField }) {
  if (href !== null) {
    return (
      <Anchor inherit href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </Anchor>
    );
  }
  if (text.length <= longText && text.split('\n').length <= 6) return isPhone === true ? <PhoneNumber number={text} /> : text;
  // It scrolls by the keyboard too.
  return <textarea readOnly rows={6} className={classes.long} aria-label={label} value={text} />;
}
