import type { JsonText } from '../contract/jsonText.ts';
import type { CrmCandidate, ExactScreenPop } from '../contract/screenPops.ts';

/** What is known of a phone number, as the store keeps it: pushed by the CRM, or looked up there. */
export type ScreenPopEntry = {
  phone: string;
  data: JsonText;
  externalSystem: string | null;
  externalId: string | null;
  /** The CRM's name for the record's kind. */
  externalObject: string | null;
  tier: string | null;
  /** Where the record is opened in the CRM. */
  recordUrl: string | null;
  /** Several records have the number; null: it is one. */
  candidates: CrmCandidate[] | null;
};

/** What was looked up has beside what is pushed. */
export const pushed = { externalObject: null, recordUrl: null, candidates: null } as const;

/** The screen pop of a pushed entry: known fields by name, everything pushed under `crm`. */
export function screenPopOf(entry: ScreenPopEntry): ExactScreenPop {
  const { name, email } = entry.data.plain();
  return {
    ...(typeof name === 'string' ? { name } : {}),
    phone: entry.phone,
    ...(typeof email === 'string' ? { email } : {}),
    vip_tier: entry.tier,
    crm: entry.data,
    ...(entry.externalSystem === null ? {} : { external_system: entry.externalSystem }),
    ...(entry.externalId === null ? {} : { external_id: entry.externalId }),
    ...(entry.externalObject === null ? {} : { external_object: entry.externalObject }),
    ...(entry.recordUrl === null ? {} : { record_url: entry.recordUrl }),
    ...(entry.candidates === null ? {} : { candidates: entry.candidates }),
  };
}

/**
 * Lays one screen pop over another, field by field; the keys of `crm` count as fields. Fields that the upper
 * one does not name, or that are null there, keep the lower one's value.
 */
export function layOver(upper: ExactScreenPop, lower: ExactScreenPop): ExactScreenPop {
  const told = new Map<string, unknown>(Object.entries(lower));
  const named = Object.fromEntries(
    Object.entries(upper).filter(
      ([name, value]) => value !== undefined && (value !== null || told.get(name) === undefined),
    ),
  );
  const crm = upper.crm === undefined ? lower.crm : (lower.crm?.overlaidWith(upper.crm) ?? upper.crm);
  return { ...lower, ...named, ...(crm === undefined ? {} : { crm }) };
}
