import type { PopView } from '../../contract/pop.ts';
import { maySeeCallOf, type Principal } from '../../domain/access.ts';
import type { Call } from '../../domain/calls.ts';
import { type CallId, isUuid, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import { readSummary } from '../contacts/contactSummary.ts';
import { lookUp } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';
import { writtenScreenPop } from '../views/callView.ts';

type Needs = Pick<Services, 'calls' | 'clock' | 'contacts' | 'crmLookup' | 'ctiConnections' | 'deals' | 'screenPops' | 'settings' | 'tasks'>;

/** Whose pop is read. `call`: an id of ours, or of one of the company's telephony platforms. */
export type AskedPop = { phone: PhoneNumber; call: string | null; isAgain: boolean };

/** What the pop page shows of a customer, and how far the call is. Whoever is unknown has the number alone. @param principal who looks */
export async function readPop(services: Needs, principal: Principal, { phone, call, isAgain }: AskedPop): Promise<Outcome<PopView>> {
  const { companyId } = principal;
  const crmLookup: Services['crmLookup'] = isAgain ? { ...services.crmLookup, find: async () => ({ kind: 'off' }) } : services.crmLookup;
  const [known, named, settings] = await Promise.all([
    lookUp({ ...services, crmLookup }, companyId, phone),
    call === null ? null : findCall(services, principal, call),
    services.settings(companyId),
  ]);
  if (known.kind === 'refused' && known.code !== 'unknown_phone') return known;
  const pop = known.kind === 'ok' ? known.value : { phone };
  const summary = pop.contact_id === undefined ? null : await readSummary(services, principal, pop.contact_id);
  return ok({
    phone,
    found: known.kind === 'ok',
    screen_pop: writtenScreenPop(pop),
    call: named === null || named.phone !== phone ? null : { state: named.state, direction: named.direction, queue: named.platform?.queue ?? null },
    summary: summary?.kind === 'ok' ? summary.value : null,
    has_contacts: settings.hasContacts,
  });
}

/** Agents see their own calls. Of a platform's call that several had, the one that goes on, else the latest. */
async function findCall({ calls, ctiConnections }: Needs, principal: Principal, name: string): Promise<Call | null> {
  const { companyId } = principal;
  const maySee = (one: Call) => maySeeCallOf(principal, one.agentId);
  const own = isUuid(name) ? await calls.find(companyId, toId<CallId>(name)) : null;
  if (own?.kind === 'found') return maySee(own.value) ? own.value : null;
  const connections = await ctiConnections.list(companyId);
  const found = (await Promise.all(connections.map(({ connector }) => calls.ofPlatform(companyId, connector, name)))).flat().filter(maySee);
  const latest = found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return latest.find(({ state }) => state !== 'ended') ?? latest[0] ?? null;
}
