import type { CrmCandidate, ScreenPop } from './screenPops.ts';

/** Which of several records with the number is the customer. Null: nobody has chosen, or there is nothing to choose from. */
export function chosenCandidate({ candidates, external_id, external_object }: Pick<ScreenPop, 'candidates' | 'external_id' | 'external_object'>): CrmCandidate | null {
  return candidates?.find(({ id, object }) => id === external_id && object === external_object) ?? null;
}
