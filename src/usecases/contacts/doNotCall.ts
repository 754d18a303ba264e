import { isSupervisor, type Principal } from '../../domain/access.ts';
import { type CompanyId, type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import type { DoNotCallOverride } from '../../ports/calls.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'contacts' | 'newId' | 'settings'>;

/** Who asks, for a number, and whether although the contact does not want it. */
type Asked = { principal: Principal; phone: PhoneNumber; contactId: string | null; isOverridden: boolean };

/**
 * Whether the number may be dialed. Refuses with `do_not_call` where the contact who has it, or the one that was named, does not want to be
 * called, and with `role_required` an override of anybody but a supervisor or admin.
 * @returns what is to stand on the contact's timeline once the call is recorded; null: nothing
 */
export async function mayDialNumber(services: Needs, { principal, phone, contactId, isOverridden }: Asked): Promise<Outcome<DoNotCallOverride | null>> {
  const { companyId } = principal;
  const by = isOverridden ? supervisorOf(principal) : null;
  if (isOverridden && by === null) return refuse('role_required', 'Only supervisors and admins may have a contact called who does not want it.');
  const unwilling = await unwillingContact(services, companyId, phone, contactId);
  if (unwilling === null) return ok(null);
  if (by === null) return refuse('do_not_call', 'The contact does not want to be called. A supervisor may have it called nevertheless.');
  return ok({ contactId: unwilling, entryId: services.newId(), by });
}

function supervisorOf(principal: Principal) {
  return principal.kind === 'agent' && isSupervisor(principal.role) ? principal.agentId : null;
}

/** A company without contacts is not looked at. */
async function unwillingContact({ contacts, settings }: Needs, companyId: CompanyId, phone: PhoneNumber, contactId: string | null): Promise<ContactId | null> {
  if (!(await settings(companyId)).hasContacts) return null;
  return contacts.doNotCall(companyId, phone, contactId === null ? null : toId<ContactId>(contactId));
}
