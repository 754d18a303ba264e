import type { CompanyId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'contacts' | 'hashErased'>;

/**
 * Which of the keys are of people who were erased.
 * @param keys as `erasureKeys` makes them
 */
export async function erasedAmong(
  { contacts, hashErased }: Needs,
  companyId: CompanyId,
  keys: readonly string[],
): Promise<Set<string>> {
  const byHash = new Map(keys.map((key) => [hashErased(companyId, key), key]));
  if (byHash.size === 0) return new Set();
  const found = await contacts.erasedAmong(companyId, [...byHash.keys()]);
  return new Set(found.flatMap((hash) => byHash.get(hash) ?? []));
}
