import type { JsonText } from '../contract/jsonText.ts';
import type { ExactScreenPop } from '../contract/screenPops.ts';

/** One cached push, as the store keeps it. */
export type ScreenPopEntry = {
  phone: string;
  data: JsonText;
  externalSystem: string | null;
  externalId: string | null;
  tier: string | null;
};

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
  };
}

/**
 * Lays one screen pop over another, field by field; the keys of `crm` count as fields. Fields that the upper
 * one does not name keep the lower one's value.
 */
export function layOver(upper: ExactScreenPop, lower: ExactScreenPop): ExactScreenPop {
  const named = Object.fromEntries(Object.entries(upper).filter(([, value]) => value !== undefined));
  const crm = upper.crm === undefined ? lower.crm : (lower.crm?.overlaidWith(upper.crm) ?? upper.crm);
  return { ...lower, ...named, ...(crm === undefined ? {} : { crm }) };
}
