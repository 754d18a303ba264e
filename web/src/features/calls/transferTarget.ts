import type { DialableNumber } from '../../../../src/contract/dialing.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';

const separators = /[\s.\-()/\u2010-\u2015\u00a0]/g;
/** An extension is shorter. */
const leastNational = 7;
/** The gateway answers at once, or not at all. Milliseconds. */
const askedForMs = 3_000;

/**
 * Whether a call can be handed on to what was written: a number in any spelling, an extension, or a code of the PBX.
 */
export function isTarget(written: string): boolean {
  return /^\+?[\d*#]{1,32}$/.test(compacted(written));
}

/**
 * Whom the telephone network is asked to call: E.164 where it is such a number, else what was written, without
 * separators. A phone number is read by the gateway, as those that are dialed; where it cannot be asked, the PBX reads
 * it. Throws where it is not to be called.
 * @param written that `isTarget`
 * @param takesNational whether the company has a country whose numbers may be written without its code
 */
export async function readTarget(written: string, takesNational: boolean): Promise<string> {
  const compact = compacted(written);
  const isNational = takesNational && /^\d+$/.test(compact) && compact.length >= leastNational;
  if (!isNational && !compact.startsWith('+')) return compact;
  try {
    return (
      await api.get<DialableNumber>('/api/me/may-dial', { phone: written.trim() }, AbortSignal.timeout(askedForMs))
    ).phone_number;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'do_not_call') throw error;
    return compact;
  }
}

function compacted(written: string): string {
  const compact = written
    .trim()
    .replace(/^(\+\d+.*)\(0\)/, '$1')
    .replaceAll(separators, '');
  return /^00[1-9]\d+$/.test(compact) ? `+${compact.slice(2)}` : compact;
}
