import { callerText } from '../../contract/callRules.ts';
import type { ExactScreenPop, FlatScreenPop } from '../../contract/screenPops.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type CompanyId, type ContactId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { LookedUp } from '../../ports/crm.ts';
import { parsePhone, parseWritten, type PhoneNumber, type PhoneWriter } from '../../domain/phones/phoneNumbers.ts';
import { underEitherSpelling } from '../../domain/phones/phoneSpellings.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import type { Contact } from '../../domain/contacts.ts';
import type { ContactScope } from '../../ports/contacts.ts';
import { withDeadline } from '../concurrency/withDeadline.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import { contactPop } from '../contacts/contactViews.ts';
import { popOfSharers } from './contactCandidates.ts';
import type { Services } from '../services.ts';

/** How long whoever looks a number up waits for the company's CRM. Milliseconds. */
const crmAnswerWithinMs = 1_500;

/**
 * A phone number as the company writes it, or the network that it telephones by; without its extension.
 * Refuses what is none.
 */
export async function readPhone(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  input: string,
  writer: PhoneWriter = 'people',
): Promise<Outcome<PhoneNumber>> {
  const read = await readLine(services, companyId, input, writer);
  return read.kind === 'refused' ? read : ok(read.value.phone);
}

/**
 * Any end of a call: E.164, or in one line as it was told where that is no such number, such as an extension.
 * Null: it was withheld, or nothing was told.
 */
export async function readEnd(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  told: string | undefined,
  writer?: PhoneWriter,
): Promise<string | null> {
  if (told === undefined) return null;
  const read = await readPhone(services, companyId, told, writer);
  return read.kind === 'ok' ? read.value : callerText(told);
}

/** As `readPhone`, with the extension behind it, and as which number it could be read as well; null: none. */
export async function readLine(
  { companyOf }: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  input: string,
  writer: PhoneWriter = 'people',
): Promise<Outcome<{ phone: PhoneNumber; extension: string | null; otherwise: PhoneNumber | null }>> {
  // Of a number with its country code no company's country is asked for.
  const rules = /^\s*\+/.test(input) ? null : await companyOf(companyId);
  const parsed =
    rules === null || writer === 'network'
      ? parsePhone(input, rules?.defaultCountry, writer)
      : parseWritten(input, rules);
  return parsed.kind === 'phone' ? ok(parsed) : refuse('invalid_phone', parsed.detail, { cause: parsed.cause });
}

/** The same refusal, naming the field `phone_number` of a body. */
export function atPhoneNumber(refused: Refused): Refused {
  const { cause, detail } = refused;
  return cause === undefined ? refused : { ...refused, errors: [{ path: 'phone_number', message: detail, ...cause }] };
}

/**
 * Whose record it is: of the contact that is named, as far as whoever names it sees it, else of those that have the
 * number, likewise; of several, of the one with the external id that is asked for, or that the CRM has told.
 */
type WhoseRecord = {
  owner: ContactScope;
  named: { id: ContactId; scope: ContactScope } | null;
  externalId: string | null;
};

/**
 * What the gateway itself has of a phone number: what is cached of a CRM, and the contacts of the built-in CRM;
 * each as the company's mode says.
 */
async function knownOf(
  services: Pick<Services, 'contacts' | 'screenPops' | 'companyOf'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  whose: WhoseRecord,
) {
  const { crmProvider, hasContacts, mode } = await services.companyOf(companyId);
  const [entry, contacts] = await Promise.all([
    mode === 'builtin' ? null : underEitherSpelling(phone, (spelling) => services.screenPops.find(companyId, spelling)),
    mode === 'push' || !hasContacts ? [] : contactsOf(services, companyId, phone, whose),
  ]);
  const contact = await popOfContacts(services, companyId, phone, contacts, [
    whose.externalId,
    entry?.externalId ?? null,
  ]);
  return { mode, crmProvider, cached: entry === null ? null : screenPopOf(entry), contact };
}

async function contactsOf(
  { contacts }: Pick<Services, 'contacts'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  { named, owner }: WhoseRecord,
): Promise<Contact[]> {
  const one = named === null ? null : await contacts.find(companyId, named.scope, named.id);
  if (one !== null) return [one];
  const sharing = await underEitherSpelling(phone, async (spelling) => {
    const found = await contacts.findByPhone(companyId, owner, spelling);
    return found.length === 0 ? null : found;
  });
  return sharing ?? [];
}

/** @param externalIds by which the customer is known among several, if it is known */
async function popOfContacts(
  services: Pick<Services, 'contacts'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  contacts: readonly Contact[],
  externalIds: (string | null)[],
): Promise<ExactScreenPop | null> {
  const [only, another] = contacts;
  if (only === undefined) return null;
  const customer =
    another === undefined
      ? only
      : (contacts.find(({ externalId }) => externalId !== null && externalIds.includes(externalId)) ?? null);
  const fields = Object.keys(customer?.fields ?? {}).length === 0 ? [] : await services.contacts.popFields(companyId);
  return another === undefined
    ? { phone, ...contactPop(only, fields) }
    : popOfSharers(phone, contacts, customer, fields);
}

/**
 * What is known of a phone number: what the company's CRM pushed, or in mode `pull` tells of it within 1.5 s, over the
 * contact of the built-in CRM, as far as it is shown to the caller. Refuses with `invalid_phone` or `unknown_phone`,
 * and with `rate_limited` where others are there and too much of the company's waits.
 * @param hasCall whether the caller has, or had, the call that it asks for: then it sees who calls,
 * whoever looks after them
 */
export async function lookUp(
  services: Pick<Services, 'clock' | 'contacts' | 'crmLookup' | 'screenPops' | 'shares' | 'companyOf'>,
  principal: Principal,
  phoneInput: string,
  hasCall = false,
): Promise<Outcome<ExactScreenPop>> {
  const { companyId } = principal;
  const phone = await readPhone(services, companyId, phoneInput, 'network');
  if (phone.kind === 'refused') return phone;
  const owner = hasCall ? 'all' : await scopeOf(services, principal);
  const known = await services.shares.lookUps.use(companyId, () =>
    knownOf(services, companyId, phone.value, { owner, named: null, externalId: null }),
  );
  if ('kind' in known) return known;
  const { cached, contact, mode } = known;
  if (cached !== null) return ok(layOver(cached, contact ?? {}));
  if (mode === 'builtin')
    return contact === null ? refuse('unknown_phone', 'No contact has this phone number.') : ok(contact);
  const { clock, crmLookup } = services;
  const looked = await withDeadline(clock, clock.now() + crmAnswerWithinMs, crmLookup.find(companyId, phone.value));
  if (looked?.kind === 'found') return ok(layOver(screenPopOf(looked.entry), contact ?? {}));
  return contact === null ? refuse('unknown_phone', unknownBecause(looked)) : ok(contact);
}

/** @param looked null: the CRM has not answered in time */
function unknownBecause(looked: LookedUp | null): string {
  switch (looked?.kind) {
    case 'nobody':
      return 'Nothing has been pushed for this phone number, and the CRM knows nobody who has it.';
    case 'failed':
      if (looked.trouble.kind === 'held_back')
        return `Nothing has been pushed for this phone number. ${looked.trouble.message}`;
      return 'Nothing has been pushed for this phone number, and the CRM could not be asked.';
    case undefined:
      return 'Nothing has been pushed for this phone number, and the CRM has not answered in time.';
    default:
      return 'Nothing has been pushed for this phone number.';
  }
}

/** `?format=flat`: every field a string, in a fixed order, for platforms whose flows break on 404 and null. */
export function flatScreenPop(found: ExactScreenPop | null, phone: string): FlatScreenPop {
  return {
    found: found === null ? 'false' : 'true',
    name: found?.name ?? '',
    email: found?.email ?? '',
    vip_tier: found?.vip_tier ?? '',
    external_system: found?.external_system ?? '',
    external_id: found?.external_id ?? '',
    phone: found?.phone ?? phone,
  };
}

export type ComposedPop = {
  found: boolean;
  screenPop: ExactScreenPop;
  /** What the company's CRM will tell, where it is being asked. */
  asked?: Promise<LookedUp>;
  /** Whether the agent may be told to wait for it. */
  isLookingUp?: boolean;
  /** Between which what the CRM tells is to be laid: what the request brought, and the contact of the built-in CRM. */
  layers?: { requested: ExactScreenPop; contact: ExactScreenPop };
};

/**
 * Whom a request names as the customer: a contact, and which contacts whoever made the request sees;
 * an id of another system.
 */
export type NamedCustomer = { contact: { id: string; scope: ContactScope } | null; externalId: string | null };

/**
 * What an agent sees for a phone number: what the request brought, laid over what is cached of the CRM, laid over the
 * contact of the built-in CRM, field by field. `found` tells whether one of the latter two was there. Waits for no CRM:
 * in mode `pull` it is asked, and `completeScreenPop` shows what it tells.
 * @param named whom the request named: the contact, with which contacts whoever made it sees, and the external id;
 * null: none. The agent who has the call sees whose number it is
 */
export async function composeScreenPop(
  services: Pick<Services, 'contacts' | 'crmLookup' | 'screenPops' | 'companyOf'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  requested: ExactScreenPop = {},
  named: NamedCustomer = { contact: null, externalId: null },
): Promise<ComposedPop> {
  const { crmLookup } = services;
  const { contact: one, externalId } = named;
  const whose: WhoseRecord = {
    owner: 'all',
    named: one === null ? null : { ...one, id: toId<ContactId>(one.id) },
    externalId,
  };
  const { cached, contact, crmProvider, mode } = await knownOf(services, companyId, phone, whose);
  if (cached !== null) return { found: true, screenPop: layOver(requested, layOver(cached, contact ?? {})) };
  const asked = crmLookup.find(companyId, phone);
  // Whoever uses the answer hears of a failure; nobody may, when the call is not made.
  asked.catch(() => undefined);
  return {
    found: contact !== null,
    screenPop: layOver(requested, contact ?? { phone }),
    asked,
    isLookingUp: mode === 'pull' && crmProvider !== null && !crmLookup.isPaused(companyId),
    ...(contact === null ? {} : { layers: { requested, contact } }),
  };
}
