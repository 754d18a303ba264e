import type { ContactSummaryView } from '../../contract/contactSummary.ts';
import type { Principal } from '../../domain/access.ts';
import { type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { dealView } from '../deals/dealViews.ts';
import { taskView } from '../tasks/taskViews.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { activityView } from './contactViews.ts';

const calls = 3;
const tasks = 5;
const deals = 5;

/**
 * What an agent wants to know before speaking to a contact: the last calls, and what anybody of the company is to do, and
 * what may be sold. Whoever has a
 * call with a contact sees it, whoever looks after it.
 */
export async function readSummary(services: Pick<Services, 'contacts' | 'deals' | 'settings' | 'tasks'>, principal: Principal, id: string): Promise<Outcome<ContactSummaryView>> {
  const { companyId } = principal;
  const contactId = toId<ContactId>(id);
  if (!(await isShown(services, principal, contactId))) return noSuchContact;
  const [recent, open, sold] = await Promise.all([
    services.contacts.recentCalls(companyId, contactId, calls),
    services.tasks.list(companyId, { agentId: null, contacts: 'all' }, { state: 'open', contactId }, { cursor: null, limit: tasks }),
    services.deals.list(companyId, 'all', { state: 'open', contactId }, 'expected_close', { cursor: null, limit: deals }),
  ]);
  return ok({ contact_id: contactId, recent_calls: recent.map(activityView), open_tasks: open.items.map(taskView), open_deals: sold?.items.map(dealView) ?? [] });
}

async function isShown(services: Pick<Services, 'contacts' | 'settings'>, principal: Principal, id: ContactId): Promise<boolean> {
  const { companyId } = principal;
  if ((await services.contacts.find(companyId, await scopeOf(services, principal), id)) !== null) return true;
  return principal.kind === 'agent' && services.contacts.isOnCallWith(companyId, principal.agentId, id);
}
