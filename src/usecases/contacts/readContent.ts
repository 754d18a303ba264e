import type { CreateContactRequest, UpdateContactRequest } from '../../contract/contacts.ts';
import {
  type ContactContent,
  type ContactField,
  type FieldValues,
  fitsField,
  withExtension,
} from '../../domain/contacts.ts';
import { foldName } from '../../domain/company.ts';
import { toId, type AgentId, type CompanyId, type OrganisationId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { readLine } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

export type ContactNeeds = Pick<
  Services,
  | 'agentCard'
  | 'agents'
  | 'calls'
  | 'clock'
  | 'contacts'
  | 'newId'
  | 'observer'
  | 'organisations'
  | 'companyOf'
  | 'softphones'
  | 'wakeDispatcher'
>;

export const emptyContact: ContactContent = {
  name: null,
  organisation: null,
  owner: null,
  phones: [],
  emails: [],
  tags: [],
  tier: null,
  language: null,
  timeZone: null,
  notes: null,
  doNotCall: false,
  externalId: null,
  fields: {},
};

/**
 * What a contact holds once the request has been laid over it. Refuses, each with the field's path, what is no phone
 * number, an agent or organisation that the company does not have, and values that do not fit the company's own fields.
 */
export async function readContent(
  services: ContactNeeds,
  companyId: CompanyId,
  before: ContactContent,
  body: CreateContactRequest | UpdateContactRequest,
): Promise<Outcome<ContactContent>> {
  const phones = body.phones === undefined ? ok(before.phones) : await readPhones(services, companyId, body.phones);
  if (phones.kind === 'refused') return phones;
  const owner = body.owner_id === undefined ? ok(before.owner) : await readOwner(services, companyId, body.owner_id);
  if (owner.kind === 'refused') return owner;
  const organisation =
    body.organisation_id === undefined
      ? ok(before.organisation)
      : await readOrganisation(services, companyId, body.organisation_id);
  if (organisation.kind === 'refused') return organisation;
  const fields =
    body.fields === undefined
      ? ok(before.fields)
      : readFields(await services.contacts.fields(companyId), before.fields, body.fields);
  if (fields.kind === 'refused') return fields;
  const or = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
  return ok({
    name: or(body.name, before.name),
    organisation: organisation.value,
    owner: owner.value,
    phones: phones.value,
    emails: body.emails === undefined ? before.emails : readEmails(body.emails),
    tags: body.tags === undefined ? before.tags : [...new Set(body.tags)],
    tier: or(body.tier, before.tier),
    language: or(body.language, before.language),
    timeZone: or(body.time_zone, before.timeZone),
    notes: or(body.notes, before.notes),
    doNotCall: or(body.do_not_call, before.doNotCall),
    externalId: or(body.external_id, before.externalId),
    fields: fields.value,
  });
}

/** The same number twice counts once, as it was given first. */
async function readPhones(
  services: ContactNeeds,
  companyId: CompanyId,
  given: NonNullable<CreateContactRequest['phones']>,
): Promise<Outcome<ContactContent['phones']>> {
  const phones = new Map<string, ContactContent['phones'][number]>();
  for (const [index, { phone_number, label, primary }] of given.entries()) {
    const phone = await readLine(services, companyId, phone_number);
    if (phone.kind === 'refused') {
      const { cause, detail } = phone;
      return cause === undefined
        ? phone
        : { ...phone, errors: [{ path: `phones[${index}].phone_number`, message: detail, ...cause }] };
    }
    const { phone: number, extension } = phone.value;
    const former = phones.get(number);
    phones.set(number, {
      phone: number,
      label: former?.label ?? withExtension(label || null, extension),
      isPrimary: primary || former?.isPrimary === true,
    });
  }
  return ok([...phones.values()]);
}

function readEmails(given: NonNullable<CreateContactRequest['emails']>): ContactContent['emails'] {
  const emails = new Map<string, ContactContent['emails'][number]>();
  for (const { email, label, primary } of given) {
    const folded = foldName(email);
    const former = emails.get(folded);
    emails.set(folded, {
      email: folded,
      label: former?.label ?? (label || null),
      isPrimary: primary || former?.isPrimary === true,
    });
  }
  return [...emails.values()];
}

function notOfCompany(path: 'owner_id' | 'organisation_id') {
  return refuse('invalid_request', 'A reference leads nowhere.', {
    errors: [{ path, message: 'is none of the company', code: 'not_of_company' }],
  });
}

async function readOwner(
  { agents }: ContactNeeds,
  companyId: CompanyId,
  id: string | null,
): Promise<Outcome<ContactContent['owner']>> {
  if (id === null) return ok(null);
  const found = await agents.find(companyId, toId<AgentId>(id));
  return found.kind === 'found' ? ok({ id: found.value.id, name: found.value.name }) : notOfCompany('owner_id');
}

async function readOrganisation(
  { organisations }: ContactNeeds,
  companyId: CompanyId,
  id: string | null,
): Promise<Outcome<ContactContent['organisation']>> {
  if (id === null) return ok(null);
  const found = await organisations.find(companyId, toId<OrganisationId>(id));
  return found === null ? notOfCompany('organisation_id') : ok({ id: found.id, name: found.name });
}

function readFields(
  defined: ContactField[],
  before: FieldValues,
  given: Record<string, string | number | null>,
): Outcome<FieldValues> {
  const fields = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(given)) {
    const field = defined.find((each) => each.key === key);
    const path = `fields.${key}`;
    if (field === undefined) {
      return refuse('invalid_request', 'The company has no such field.', {
        errors: [{ path, message: 'is not a known field', code: 'unknown_field' }],
      });
    }
    if (value === null) fields.delete(key);
    else if (fitsField(field, value)) {
      fields.set(key, value);
    } else {
      return refuse('invalid_request', 'A value does not fit its field.', {
        errors: [
          {
            path,
            message: `is no value of the kind ${field.kind}`,
            code: 'not_of_field',
            params: { kind: field.kind },
          },
        ],
      });
    }
  }
  return ok(Object.fromEntries(fields));
}
