import type { DialableNumber } from '../../contract/dialing.ts';
import { isSupervisor, type Principal } from '../../domain/access.ts';
import { type CompanyId, type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { underEitherSpelling } from '../../domain/phones/phoneSpellings.ts';
import type { DoNotCallOverride } from '../../ports/calls.ts';
import type { ContactScope } from '../../ports/contacts.ts';
import type { DialBan } from '../../ports/dialing.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'doNotDial' | 'newId' | 'companyOf'>;

/** A contact that a request names, and which contacts whoever made it sees. */
type Named = { id: string; scope: ContactScope };

/** Who asks, for a number, and whether although it is not to be called. */
type Asked = { principal: Principal; phone: PhoneNumber; named: Named | null; isOverridden: boolean };

/**
 * Whether the number may be dialed. Refuses with `do_not_call` where the company's list has it, or where the contact
 * who has it, or the one that was named and is seen, does not want to be called; and with `role_required` an override
 * of anybody but a supervisor or admin.
 * @returns what is to be noted once the call is recorded; null: nothing
 */
export async function mayDialNumber(
  services: Needs,
  { principal, phone, named, isOverridden }: Asked,
): Promise<Outcome<DoNotCallOverride | null>> {
  const by = isOverridden ? supervisorOf(principal) : null;
  if (isOverridden && by === null)
    return refuse('role_required', 'Only supervisors and admins may have a number called that is not to be called.');
  const ban = await banOf(services, principal.companyId, phone, named);
  if (ban === null) return ok(null);
  if (by !== null) return ok({ contactId: ban.contactId, entryId: services.newId(), by });
  return ban.isListed
    ? refuse(
        'do_not_call',
        'The number is on the company’s do-not-dial list. A supervisor may have it called nevertheless.',
        { cause: { code: 'on_do_not_dial_list' } },
      )
    : refuse('do_not_call', 'The contact does not want to be called. A supervisor may have it called nevertheless.');
}

/**
 * The number that somebody wrote, where it may be dialed. Refuses with `invalid_phone` and `do_not_call`;
 * nobody overrides that here.
 */
export async function readDialable(
  services: Needs,
  principal: Principal,
  written: string,
): Promise<Outcome<DialableNumber>> {
  const phone = await readPhone(services, principal.companyId, written);
  if (phone.kind === 'refused') return phone;
  const allowed = await mayDialNumber(services, { principal, phone: phone.value, named: null, isOverridden: false });
  return allowed.kind === 'refused' ? allowed : ok({ phone_number: phone.value });
}

function supervisorOf(principal: Principal) {
  return principal.kind === 'agent' && isSupervisor(principal.role) ? principal.agentId : null;
}

/** A company without contacts and without a list is not looked at. */
async function banOf(
  { companyOf, doNotDial }: Needs,
  companyId: CompanyId,
  phone: PhoneNumber,
  named: Named | null,
): Promise<DialBan | null> {
  const { hasContacts, hasDoNotDial } = await companyOf(companyId);
  if (!hasContacts && !hasDoNotDial) return null;
  const whom = named === null ? null : { ...named, id: toId<ContactId>(named.id) };
  return underEitherSpelling(phone, (spelling) => doNotDial.ban(companyId, spelling, whom));
}
