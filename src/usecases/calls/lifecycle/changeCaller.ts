import { callerName, callerText } from '../../../contract/callRules.ts';
import type { Call, OtherEnd } from '../../../domain/calls.ts';
import { mostCallerChanges, mostSteps } from '../../../domain/callSteps.ts';
import type { AgentId, CallId, CompanyId, Lease } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import type { ChosenNeeds } from '../../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../../screenPops/completeScreenPop.ts';
import { composeScreenPop, readPhone } from '../../screenPops/lookUp.ts';
import type { CallServices, Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';
import { callPop } from './callPop.ts';

type Needs = CallServices & ChosenNeeds & Pick<Services, 'contacts' | 'crmLookup' | 'screenPops'>;

/** A call is changed by others meanwhile: rarely so often. */
const maxTries = 20;

/**
 * The telephone network names another caller of a call that has come in, such as the customer whom a colleague has put
 * through: the record, the card, supervisors and the screen pop follow. Somebody who withholds their number leaves what
 * was known, and so does the same caller again, a call that the agent has dialed, and one whose person was erased.
 * Refuses with `session_replaced`, `not_found`, `wrong_company`, and `conflict` of a call that is over or has had 20
 * other callers.
 * @param lease must be that of the session that owns the agent's softphone
 */
export async function changeCaller(
  services: Needs,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  callId: CallId,
  phoneInput: string,
  displayName: string | undefined,
): Promise<Outcome<Call>> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  // A quick softphone may tell of it before the call is recorded.
  await services.dialsUnderWay.get(callId)?.catch(() => undefined);
  const parsed = await readPhone(services, companyId, phoneInput, 'network');
  const other: OtherEnd =
    parsed.kind === 'ok' ? { phone: parsed.value, caller: null } : { phone: null, caller: callerText(phoneInput) };
  const name = callerName(displayName);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await services.calls.find(companyId, callId);
    if (found.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
    if (found.kind === 'unknown' || found.value.agentId !== agentId || found.value.platform !== null)
      return refuse('not_found', 'This agent has no such call.');
    const call = found.value;
    if (staysAsItIs(call, other)) return ok(call);
    if (call.state === 'ended')
      return refuse('conflict', 'The call is over.', { cause: { code: 'call_state', params: { state: call.state } } });
    const steps = await services.calls.steps(companyId, callId);
    if (
      steps.length >= mostSteps ||
      steps.filter(({ step }) => step === 'caller_changed').length >= mostCallerChanges
    ) {
      return refuse('conflict', 'The caller of this call has changed too often.', {
        cause: { code: 'too_many_callers', params: { max: mostCallerChanges } },
      });
    }
    const known =
      other.phone === null ? { found: false, screenPop: {} } : await composeScreenPop(services, companyId, other.phone);
    // The network's display name serves only where the CRM has no name.
    const pop = { ...known, screenPop: { ...(name === null ? {} : { name }), ...known.screenPop } };
    // What referred to the one before is not of this one.
    const next: Call = {
      ...call,
      ...other,
      contactId: null,
      externalId: null,
      screenPop: pop.screenPop,
      version: call.version + 1,
    };
    const stored = await services.calls.commitCaller(next, {
      step: 'caller_changed',
      at: new Date(services.clock.now()),
    });
    if (stored === 'conflict') continue;
    services.softphones.pop(companyId, agentId, callPop(services, stored, pop));
    services.softphones.callChanged(companyId, agentId, callView(stored));
    void completeScreenPop(services, stored, pop);
    return ok(stored);
  }
  throw new Error(`a call changed ${maxTries} times while its caller was changed`);
}

function staysAsItIs({ caller, direction, erasedAt, phone, transferredFrom }: Call, other: OtherEnd): boolean {
  const isWithheld = other.phone === null && other.caller === null;
  const isSame = other.phone === phone && other.caller === caller;
  // Of a call that is handed on the customer is known, and the network may still name who hands it on.
  const isColleague =
    transferredFrom?.extension != null && other.caller?.toLowerCase() === transferredFrom.extension.toLowerCase();
  return direction !== 'inbound' || erasedAt !== null || isWithheld || isSame || isColleague;
}
