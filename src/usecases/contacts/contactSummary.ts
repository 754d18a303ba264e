import type { ContactSummaryView } from '../../contract/contactSummary.ts';
import type { Principal } from '../../domain/access.ts';
import { type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { ContactScope } from '../../ports/contacts.ts';
import type { Services } from '../services.ts';
import { dealView } from '../deals/dealViews.ts';
import { taskView } from '../tasks/taskViews.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { activityView } from './contactViews.ts';

const calls = 3;
const tasks = 5;
const deals = 5;

/**
 * What an agent wants to know before speaking to a contact: the last calls, and what anybody of the company is to do,
 * and what may be sold. Whoever has a call with a contact sees all of it, whoever looks after what; else an agent who
 * sees its own contacts alone sees of tasks and deals what it sees elsewhere.
 */
export async function readSummary(
  services: Pick<Services, 'contacts' | 'deals' | 'companyOf' | 'tasks'>,
  principal: Principal,
  id: string,
): Promise<Outcome<ContactSummaryView>> {
  const { companyId } = principal;
  const seen = await seenContact(services, principal, toId<ContactId>(id));
  if (seen === null) return noSuchContact;
  const { contactId, scope } = seen;
  const taskScope = { agentIds: scope === 'all' ? null : [scope.ownerId], contacts: scope };
  const [recent, open, sold] = await Promise.all([
    services.contacts.recentCalls(companyId, contactId, calls),
    services.tasks.list(companyId, taskScope, { state: 'open', contactId }, 'due', { cursor: null, limit: tasks }),
    services.deals.list(companyId, scope, { state: 'open', contactId }, 'expected_close', {
      cursor: null,
      limit: deals,
    }),
  ]);
  return ok({
    contact_id: contactId,
    recent_calls: recent.map(activityView),
    open_tasks: open.items.map(taskView),
    open_deals: sold?.items.map(dealView) ?? [],
  });
}

/** The contact, or the one that it went into, and what of it is seen. Null: nothing. */
async function seenContact(
  { companyOf, contacts }: Pick<Services, 'contacts' | 'companyOf'>,
  principal: Principal,
  id: ContactId,
): Promise<{ contactId: ContactId; scope: ContactScope } | null> {
  const { companyId } = principal;
  const [scope, found] = await Promise.all([scopeOf({ companyOf }, principal), contacts.find(companyId, 'all', id)]);
  if (found === null) return null;
  if (scope === 'all' || (await contacts.isOnCallWith(companyId, scope.ownerId, found.id)))
    return { contactId: found.id, scope: 'all' };
  return (await contacts.find(companyId, scope, found.id)) === null ? null : { contactId: found.id, scope };
}
