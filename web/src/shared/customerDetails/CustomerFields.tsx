import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCandidate } from '../../../../src/contract/callRules.ts';
import type { PopLayout } from '../../../../src/contract/popLayout.ts';
import type { ScreenPop } from '../../../../src/contract/screenPops.ts';
import type { Catalog, Translate } from '../../lib/i18n/catalog.ts';
import { type ArrangedField, arrangeFields } from './arrangeFields.ts';
import { type CustomerField, customerFields, textOf } from './customerFields.ts';
import { FieldList } from './FieldList.tsx';
import type { ShownPop } from './shownPop.ts';

type Props = {
  pop: ShownPop;
  /** Null: as the CRM has the fields. */
  layout: PopLayout | null;
  /** Between what is known of the customer and of the call. */
  children?: ReactNode;
};

const asItCame: Pick<PopLayout, 'fields' | 'contact_fields'> = { fields: [], contact_fields: [] };

/** Everything that is known of a customer, and of the call, as the company has arranged it. */
export function CustomerFields({ pop, layout, children }: Props) {
  const { t } = useTranslation();
  const { contact_id, external_object } = pop.screen_pop;
  const { pinned, others } = arrangeFields(popFields(t, pop), layout ?? asItCame, {
    object: external_object,
    isContact: contact_id !== undefined,
  });
  return (
    <>
      <FieldList fields={pinned} isLarge />
      <FieldList fields={others} />
      {children}
      <FieldList title={t('softphone.customer.aboutCall')} fields={callFields(t, pop)} />
    </>
  );
}

/**
 * What is known of a customer, in the order in which it came: what the gateway knows a record by,
 * then what the CRM has told.
 */
export function popFields(t: Translate, pop: ShownPop): ArrangedField[] {
  const { screen_pop: known, exact } = pop;
  const crm = customerFields(t, exact?.crm ?? JSON.stringify(known.crm ?? {})).filter(
    (field) => !isRepeated(field, known),
  );
  return [...ownFields(t, pop), ...crm.map((field) => recognized(inWords(t, field)))];
}

function ownFields(t: Translate, { screen_pop: known, phone_number, external_id }: ShownPop): ArrangedField[] {
  const isToChoose = known.candidates !== undefined && chosenCandidate(known) === null;
  return recordFields(t, {
    ...(known.phone === undefined || known.phone === phone_number ? {} : { phone: known.phone }),
    ...(isEmpty(known.email) ? {} : { email: known.email }),
    ...(isToChoose || known.record_url !== undefined || isEmpty(known.external_system)
      ? {}
      : { external_system: known.external_system }),
    ...(isEmpty(known.external_id ?? external_id) ? {} : { external_id: known.external_id ?? external_id }),
  });
}

function callFields(t: Translate, pop: ShownPop): ArrangedField[] {
  const isOtherId = pop.external_id !== undefined && ![undefined, pop.external_id].includes(pop.screen_pop.external_id);
  return [
    ...recordFields(t, {
      ...(pop.campaign_id === undefined ? {} : { campaign_id: pop.campaign_id }),
      ...(pop.contact_id === undefined ? {} : { contact_id: pop.contact_id }),
      ...(isOtherId ? { external_id: pop.external_id } : {}),
    }),
    ...customerFields(t, pop.exact?.metadata ?? JSON.stringify(pop.metadata ?? {})).map(recognized),
  ];
}

function recognized(field: CustomerField): ArrangedField {
  return { ...field, how: { format: 'auto' } };
}

/** These two have names in every language; what else a CRM tells, it names. */
function inWords(t: Translate, field: CustomerField): CustomerField {
  return field.key === 'account_number' || field.key === 'open_tickets'
    ? { ...field, label: t(`softphone.customer.field.${field.key}`) }
    : field;
}

/** What a CRM pushes as name and address is shown above already. */
function isRepeated({ key, values }: CustomerField, { name, email }: ScreenPop): boolean {
  return (key === 'name' && textOf(values) === name) || (key === 'email' && textOf(values) === email);
}

type OwnField = keyof Catalog['softphone']['customer']['field'];

/** What the gateway knows a record by has names in every language; what a CRM calls its fields is the CRM's. */
function recordFields(t: Translate, record: Partial<Record<OwnField, string | undefined>>): ArrangedField[] {
  return customerFields(t, JSON.stringify(record)).map((field) => {
    const key = field.key as OwnField;
    // An id is no number or address, whatever it looks like.
    return {
      ...field,
      label: t(`softphone.customer.field.${key}`),
      how: { format: key === 'phone' || key === 'email' ? key : 'text' },
    };
  });
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === '';
}
