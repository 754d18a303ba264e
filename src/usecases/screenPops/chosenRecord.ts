import { JsonText } from '../../contract/jsonText.ts';
import { chosenCandidate } from '../../contract/chosenCandidate.ts';
import type { CrmCandidate, ExactScreenPop } from '../../contract/screenPops.ts';

/**
 * The screen pop with one of its candidates as the customer. What an earlier choice had put there gives way; what the click or
 * the network told of the caller in other fields stays. The candidates stay too, for whoever chose the wrong one.
 */
export function choose(pop: ExactScreenPop, chosen: CrmCandidate): ExactScreenPop {
  const before = chosenCandidate(pop);
  const others = before === null ? pop.crm : pop.crm?.without(toldOf(before));
  return {
    ...(chosen.name === null ? {} : { name: chosen.name }),
    ...(pop.phone === undefined ? {} : { phone: pop.phone }),
    ...(chosen.email === null ? {} : { email: chosen.email }),
    vip_tier: chosen.vip_tier,
    crm: others === undefined ? toldOf(chosen) : toldOf(chosen).overlaidWith(others),
    ...(pop.contact_id === undefined ? {} : { contact_id: pop.contact_id }),
    ...(pop.external_system === undefined ? {} : { external_system: pop.external_system }),
    external_id: chosen.id,
    external_object: chosen.object,
    ...(chosen.record_url === null ? {} : { record_url: chosen.record_url }),
    ...(pop.candidates === undefined ? {} : { candidates: pop.candidates }),
  };
}

/** The same, where whoever asked for the call has named one of the candidates by its id alone. */
export function chooseNamed(pop: ExactScreenPop, externalId: string | null): ExactScreenPop {
  const named = pop.candidates?.filter(({ id }) => id === externalId) ?? [];
  const [only] = named;
  return only === undefined || named.length > 1 ? pop : choose(pop, only);
}

/** Keeps what the CRM has told of the chosen candidate since, and shows it. Unless another one is chosen by now. */
export function completeChosen(pop: ExactScreenPop, told: CrmCandidate): ExactScreenPop {
  const chosen = chosenCandidate(pop);
  if (chosen?.id !== told.id || chosen.object !== told.object) return pop;
  const candidates = pop.candidates?.map((one) => (one === chosen ? told : one)) ?? [];
  return { ...choose(pop, told), candidates };
}

/** The fields of a record that are shown under `crm`. */
function toldOf({ name, email, account_number, crm }: CrmCandidate): JsonText {
  const told = { name, email, account_number, ...crm };
  return JsonText.of(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)));
}
