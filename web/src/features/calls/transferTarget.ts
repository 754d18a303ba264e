import type { FlatScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';

const separators = /[\s.\-()/\u2010-\u2015\u00a0]/g;
/** An extension is shorter. */
const leastNational = 7;

/** Whether a call can be handed on to what was written: a number in any spelling, an extension, or a code of the PBX. */
export function isTarget(written: string): boolean {
  return /^\+?[\d*#]{1,32}$/.test(compacted(written));
}

/**
 * Whom the telephone network is asked to call: E.164 where it is such a number, else what was written, without separators. A national
 * number is read by the gateway, as those that are dialed; where it cannot be asked, the PBX reads it.
 * @param written that `isTarget`
 * @param takesNational whether the company has a country whose numbers may be written without its code
 */
export async function readTarget(written: string, takesNational: boolean): Promise<string> {
  const compact = compacted(written);
  const isNational = takesNational && /^\d+$/.test(compact) && compact.length >= leastNational;
  if (!isNational) return compact;
  const found = await api.get<FlatScreenPop>('/api/integrations/lookup', { phone: written.trim(), format: 'flat' }).catch(() => null);
  return found === null || found.phone === '' ? compact : found.phone;
}

function compacted(written: string): string {
  const compact = written.trim().replace(/^(\+\d+.*)\(0\)/, '$1').replaceAll(separators, '');
  return /^00[1-9]\d+$/.test(compact) ? `+${compact.slice(2)}` : compact;
}
