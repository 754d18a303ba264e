import { useEffect, useState } from 'react';
import type { FlatScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';

export type Lookup =
  | { kind: 'idle' | 'national' | 'unknown' | 'asking' }
  | { kind: 'found'; customer: FlatScreenPop }
  | { kind: 'failed'; detail: string };

/** Fewer digits are nobody's number. */
const leastDigits = 4;
/** A pause of this length is the end of a burst of typing. */
const pauseMs = 250;

/**
 * Asks the gateway whose number it is, once the agent pauses; what was asked for before is given up.
 * @param takesNational whether the company has a country whose numbers may be written without its code
 */
export function useLookup(number: string, takesNational: boolean): Lookup {
  const [last, setLast] = useState<{ number: string; lookup: Lookup } | null>(null);
  const isShort = number.replace(/\D/g, '').length < leastDigits;
  const isNational = !takesNational && !/^\s*(?:\+|00)/.test(number);
  const isAsked = !isShort && !isNational;
  useEffect(() => {
    if (!isAsked) return;
    const giveUp = new AbortController();
    const timer = setTimeout(() => {
      void ask(number.trim(), giveUp.signal).then((lookup) => {
        if (!giveUp.signal.aborted) setLast({ number, lookup });
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [number, isAsked]);
  if (isShort) return { kind: 'idle' };
  if (isNational) return { kind: 'national' };
  return last?.number === number ? last.lookup : { kind: 'asking' };
}

/** What to show of it. */
export function lookupText(lookup: Lookup): string {
  switch (lookup.kind) {
    case 'idle':
      return 'Type 4 digits to search';
    case 'national':
      return 'Begin with + and the country code.';
    case 'asking':
      return 'Looking up …';
    case 'unknown':
      return 'Not known';
    case 'failed':
      return lookup.detail;
    case 'found':
      return [lookup.customer.name || 'Known, without a name', lookup.customer.vip_tier, lookup.customer.email]
        .filter((part) => part !== '')
        .join(' · ');
  }
}

async function ask(phone: string, signal: AbortSignal): Promise<Lookup> {
  try {
    // Flat: not to be known is no failure, and none for the browser's console.
    const customer = await api.get<FlatScreenPop>('/api/integrations/lookup', { phone, format: 'flat' }, signal);
    return customer.found === 'true' ? { kind: 'found', customer } : { kind: 'unknown' };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return { kind: 'failed', detail: error.message };
  }
}
