import type { CrmCandidate, ScreenPop } from './screenPops.ts';

/** The `object` of a candidate that is a contact of the built-in CRM; no CRM calls its records so. */
export const contactObject = 'builtin_contact';

/** Whether the candidate is a contact of the built-in CRM, and no record of another one. */
export function isContactCandidate({ object }: Pick<CrmCandidate, 'object'>): boolean {
  return object === contactObject;
}

/**
 * Which of several records with the number is the customer: of a CRM's the one that `external_object` and
 * `external_id` name, of contacts of the built-in CRM the one that `contact_id` names. Null: nobody has chosen, or
 * there is nothing to choose from.
 */
export function chosenCandidate({
  candidates,
  contact_id,
  external_id,
  external_object,
}: Pick<ScreenPop, 'candidates' | 'contact_id' | 'external_id' | 'external_object'>): CrmCandidate | null {
  return (
    candidates?.find((one) =>
      isContactCandidate(one) ? one.id === contact_id : one.id === external_id && one.object === external_object,
    ) ?? null
  );
}
