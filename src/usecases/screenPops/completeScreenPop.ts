import type { Call } from '../../domain/calls.ts';
import { chooseNamed, keepChosen } from './chosenRecord.ts';
import { ok } from '../../domain/outcome.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';
import { changeScreenPop } from './changeScreenPop.ts';
import { type ChosenNeeds, readChosen } from './chooseRecord.ts';
import type { ComposedPop } from './lookUp.ts';

/**
 * Lays what was known when the call was made over what the CRM tells later, and shows it to the agent by
 * `call_state_changed`, unless the call has another caller by then. Never rejects: a call goes on without a record.
 */
export async function completeScreenPop(
  services: ChosenNeeds,
  call: Pick<Call, 'companyId' | 'id' | 'phone' | 'screenPop'>,
  pop: ComposedPop,
): Promise<void> {
  try {
    if (pop.asked === undefined) return await readChosen(services, call);
    const looked = await pop.asked;
    if (looked.kind !== 'found') {
      if (pop.isLookingUp === true) await tellLookedUp(services, call);
      return;
    }
    const told = screenPopOf(looked.entry);
    const laid = ({ screenPop }: Call) =>
      pop.layers === undefined
        ? layOver(screenPop ?? {}, told)
        : layOver(pop.layers.requested, layOver(told, pop.layers.contact));
    const lay = (known: Call) =>
      ok(
        known.phone === call.phone
          ? keepChosen(chooseNamed(laid(known), known.externalId), known.screenPop)
          : known.screenPop,
      );
    const changed = await changeScreenPop(services, call, lay, { looking_up: false });
    if (changed.kind === 'ok') await readChosen(services, changed.value);
  } catch (error) {
    services.observer.problem('a screen pop could not be completed', error, { company_id: call.companyId });
  }
}

/** Nobody was found, or the CRM did not tell: the agent need not wait for it. */
async function tellLookedUp(
  { calls, softphones }: Pick<Services, 'calls' | 'softphones'>,
  { companyId, id, phone }: Pick<Call, 'companyId' | 'id' | 'phone'>,
): Promise<void> {
  const found = await calls.find(companyId, id);
  if (found.kind !== 'found' || found.value.phone !== phone) return;
  softphones.callChanged(companyId, found.value.agentId, { ...callView(found.value), looking_up: false });
}
