import { getCountries, getCountryCallingCode, isSupportedCountry, Metadata } from 'libphonenumber-js/min';

/** What numbering plans say of the numbers behind a country code, or of a country's. */
export type PhonePlan = {
  /**
   * Digits before national numbers that are left out behind the country code, by their first one;
   * empty: there are none.
   */
  trunks: ReadonlySet<string>;
  /** How many digits numbers have behind the country code. */
  lengths: ReadonlySet<number>;
  longest: number;
};

let plans: ReadonlyMap<string, PhonePlan> | null = null;

/**
 * The plan of an international number's digits, without the plus, and what follows its country code;
 * null: no country has such a code.
 */
export function planOf(digits: string): { plan: PhonePlan; national: string } | null {
  plans ??= readPlans();
  for (let length = 1; length <= 3; length += 1) {
    const plan = plans.get(digits.slice(0, length));
    if (plan !== undefined) return { plan, national: digits.slice(length) };
  }
  return null;
}

/** Whether people write a country's numbers with a 0 before them, so that digits without one are no national number. */
export function hasTrunkZero(country: string): boolean {
  return isSupportedCountry(country) && trunkOf(country) === '0';
}

/** Several countries may share a code. */
function readPlans(): Map<string, PhonePlan> {
  const read = new Map<string, { trunks: Set<string>; lengths: Set<number>; longest: number }>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const plan = read.get(code) ?? { trunks: new Set(), lengths: new Set(), longest: 0 };
    const trunk = trunkOf(country);
    if (trunk !== '') plan.trunks.add(trunk.slice(0, 1));
    for (const length of metadataOf(country).numberingPlan?.possibleLengths() ?? []) plan.lengths.add(length);
    plan.longest = Math.max(plan.longest, ...plan.lengths);
    read.set(code, plan);
  }
  return read;
}

/** What national numbers begin with that is no part of them; empty: nothing. */
export function trunkOf(country: string): string {
  // What the library has and its types leave out.
  const plan = metadataOf(country).numberingPlan as { nationalPrefix?: () => unknown } | undefined;
  const prefix = plan?.nationalPrefix?.();
  return typeof prefix === 'string' ? prefix : '';
}

function metadataOf(country: string): Metadata {
  const metadata = new Metadata();
  if (isSupportedCountry(country)) metadata.selectNumberingPlan(country);
  return metadata;
}
