import { useEffect, useState } from 'react';
import type { ScreenPop } from '../../../src/contract/screenPops.ts';
import { api, ApiProblem } from '../shared/api.ts';

export type Lookup =
  | { kind: 'idle' | 'unknown' | 'asking' }
  | { kind: 'found'; customer: ScreenPop }
  | { kind: 'failed'; detail: string };

/** Fewer digits are nobody's number. */
const leastDigits = 4;
/** A pause of this length is the end of a burst of typing. */
const pauseMs = 250;

/** Asks the gateway whose number it is, once the agent pauses; what was asked for before is given up. */
export function useLookup(number: string): Lookup {
  const [lookup, setLookup] = useState<Lookup>({ kind: 'idle' });
  useEffect(() => {
    if (number.replace(/\D/g, '').length < leastDigits) return setLookup({ kind: 'idle' });
    setLookup({ kind: 'asking' });
    const giveUp = new AbortController();
    const timer = setTimeout(() => {
      void ask(number.trim(), giveUp.signal).then((answer) => {
        if (!giveUp.signal.aborted) setLookup(answer);
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [number]);
  return lookup;
}

/** What to show of it. */
export function lookupText(lookup: Lookup): string {
  switch (lookup.kind) {
    case 'idle':
      return 'Looked up from the fourth digit on.';
    case 'asking':
      return 'Looking up …';
    case 'unknown':
      return 'Not known';
    case 'failed':
      return lookup.detail;
    case 'found':
      return [lookup.customer.name ?? 'Known, without a name', lookup.customer.vip_tier, lookup.customer.email]
        .filter((part) => typeof part === 'string' && part !== '')
        .join(' · ');
  }
}

async function ask(phone: string, signal: AbortSignal): Promise<Lookup> {
  try {
    const { screen_pop } = await api.get<{ screen_pop: ScreenPop }>('/api/integrations/lookup', { phone }, signal);
    return { kind: 'found', customer: screen_pop };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return error.code === 'unknown_phone' ? { kind: 'unknown' } : { kind: 'failed', detail: error.message };
  }
}
