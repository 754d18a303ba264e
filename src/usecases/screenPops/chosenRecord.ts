import { JsonText } from '../../contract/jsonText.ts';
import { chosenCandidate, isContactCandidate } from '../../contract/callRules.ts';
import type { CrmCandidate, ExactScreenPop } from '../../contract/screenPops.ts';

/**
 * The screen pop with one of its candidates as the customer. What an earlier choice had put there gives way; what the
 * click or the network told of the caller in other fields stays. The candidates stay too, for whoever chose the wrong
 * one. A contact of the built-in CRM and a record of another one stand beside each other, so that choosing one leaves
 * the other.
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
    ...referencesOf(pop, chosen),
    ...(pop.candidates === undefined ? {} : { candidates: pop.candidates }),
  };
}

type References = Pick<
  ExactScreenPop,
  'contact_id' | 'external_system' | 'external_id' | 'external_object' | 'record_url'
>;

function referencesOf(
  { contact_id, external_system, external_id, external_object, record_url }: ExactScreenPop,
  chosen: CrmCandidate,
): References {
  const all: References = isContactCandidate(chosen)
    ? { contact_id: chosen.id, external_system, external_id, external_object, record_url }
    : {
        contact_id,
        external_system,
        external_id: chosen.id,
        external_object: chosen.object,
        record_url: chosen.record_url ?? undefined,
      };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * A screen pop that was laid anew, such as with what the CRM told later: whoever was chosen meanwhile stays chosen.
 * @param before the pop until then
 */
export function keepChosen(laid: ExactScreenPop, before: ExactScreenPop | null): ExactScreenPop {
  const chosen = before === null ? null : chosenCandidate(before);
  if (chosen === null || chosenCandidate(laid)?.id === chosen.id) return laid;
  if (laid.candidates?.some(({ id, object }) => id === chosen.id && object === chosen.object) === true)
    return choose({ ...laid, candidates: before?.candidates }, chosen);
  // Where the CRM has several records too, these are what is left to choose from.
  return isContactCandidate(chosen) ? { ...laid, contact_id: chosen.id } : laid;
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
function toldOf(candidate: CrmCandidate): JsonText {
  const { name, email, account_number, crm } = candidate;
  const told = isContactCandidate(candidate) ? { ...crm } : { name, email, account_number, ...crm };
  return JsonText.of(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)));
}
