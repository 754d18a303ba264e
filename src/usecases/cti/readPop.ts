import { lineName } from '../../contract/callRules.ts';
import type { PopView } from '../../contract/pop.ts';
import type { PreviousCallsView } from '../../contract/previousCalls.ts';
import { isWithin, type Principal } from '../../domain/access.ts';
import type { Call } from '../../domain/calls.ts';
import { type CallId, isUuid, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { agentScopeOf } from '../agents/agentScope.ts';
import { maySeePrevious, previousCalls } from '../calls/lifecycle/previousCalls.ts';
import { readSummary } from '../contacts/contactSummary.ts';
import { keepChosen } from '../screenPops/chosenRecord.ts';
import { lookUp } from '../screenPops/lookUp.ts';
import { readPopLayout } from '../screenPops/popLayout.ts';
import type { Services } from '../services.ts';
import { writtenScreenPop } from '../views/callView.ts';

type Needs = Pick<
  Services,
  | 'calls'
  | 'clock'
  | 'contacts'
  | 'crmLookup'
  | 'ctiConnections'
  | 'deals'
  | 'ledAgents'
  | 'popLayouts'
  | 'presence'
  | 'screenPops'
  | 'shares'
  | 'companyOf'
  | 'tasks'
>;

/**
 * Whose pop is read. `call`: an id of ours, or of one of the company's telephony platforms.
 * `layout`: the version that the page has; null: none.
 */
export type AskedPop = { phone: PhoneNumber; call: string | null; isAgain: boolean; layout: number | null };

/**
 * What the pop page shows of a customer, and how far the call is. Whoever is unknown has the number alone.
 * @param principal who looks
 */
export async function readPop(
  services: Needs,
  principal: Principal,
  { phone, call, isAgain, layout: shownVersion }: AskedPop,
): Promise<Outcome<PopView>> {
  const { companyId } = principal;
  const crmLookup: Services['crmLookup'] = isAgain
    ? { ...services.crmLookup, find: async () => ({ kind: 'off' }) }
    : services.crmLookup;
  const named = call === null ? null : await findCall(services, principal, call);
  const current = named?.phone === phone ? named : null;
  const [known, company, layout, previous] = await Promise.all([
    lookUp({ ...services, crmLookup }, principal, phone, current !== null),
    services.companyOf(companyId),
    readPopLayout(services, companyId),
    readPrevious(services, principal, phone, current),
  ]);
  if (known.kind === 'refused' && known.code !== 'unknown_phone') return known;
  const pop = known.kind === 'ok' ? keepChosen(known.value, current?.screenPop ?? null) : { phone };
  const summary = pop.contact_id === undefined ? null : await readSummary(services, principal, pop.contact_id);
  return ok({
    phone,
    found: known.kind === 'ok',
    screen_pop: writtenScreenPop(pop),
    call_id: current?.id ?? null,
    call:
      current === null
        ? null
        : {
            state: current.state,
            direction: current.direction,
            queue: current.queue,
            dialed_number: current.dialedNumber,
            line: lineName(company.settings.lines, current.dialedNumber),
          },
    summary: summary?.kind === 'ok' ? summary.value : null,
    previous,
    ...(layout.version === shownVersion ? {} : { layout }),
    has_contacts: company.hasContacts,
  });
}

/**
 * The calls with the number before. Null: to an agent who is on no call with it.
 * @param named the call that the page is about, if it is known
 */
async function readPrevious(
  services: Needs,
  principal: Principal,
  phone: PhoneNumber,
  named: Call | null,
): Promise<PreviousCallsView | null> {
  const { companyId } = principal;
  if (principal.kind === 'company_key' || principal.role !== 'agent')
    return previousCalls(services, companyId, phone, named?.id ?? null);
  const onCalls = named === null ? await services.calls.findActive(companyId, principal.agentId) : [named];
  const call = onCalls.find((one) => one.phone === phone);
  if (call === undefined || !(await maySeePrevious(services, principal, call))) return null;
  return previousCalls(services, companyId, phone, call.id);
}

/**
 * As far as the caller sees its agent. Of a platform's call that several had, the one that goes on, else the latest.
 */
async function findCall(services: Needs, principal: Principal, name: string): Promise<Call | null> {
  const { calls, ctiConnections } = services;
  const { companyId } = principal;
  const scope = await agentScopeOf(services, principal);
  const maySee = (one: Call) => isWithin(scope, one.agentId);
  const own = isUuid(name) ? await calls.find(companyId, toId<CallId>(name)) : null;
  if (own?.kind === 'found') return maySee(own.value) ? own.value : null;
  const connections = await ctiConnections.list(companyId);
  const found = (await Promise.all(connections.map(({ connector }) => calls.ofPlatform(companyId, connector, name))))
    .flat()
    .filter(maySee);
  const latest = found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return latest.find(({ state }) => state !== 'ended') ?? latest[0] ?? null;
}
