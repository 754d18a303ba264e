import { LRUCache } from 'lru-cache';
import type { Call } from '../../../domain/calls.ts';
import type { CallId, CompanyId } from '../../../domain/ids.ts';

/** What all of them together may have, with what CRM systems attached to them. Characters. */
const mostKept = 8_000_000;
const mostCalls = 5_000;

/**
 * The calls that this process wrote last, as they were then: the next change of a call nearly always comes to the
 * gateway that wrote the last one.
 */
export function createWrittenCalls() {
  const calls = new LRUCache<CallId, Call>({ max: mostCalls, maxSize: mostKept, sizeCalculation: sizeOf });
  const keep = (call: Call): void => void (call.state === 'ended' ? calls.delete(call.id) : calls.set(call.id, call));

  return {
    keep,
    /** @param stored what came of a change; null: another one was faster */
    changed(next: Call, stored: Call | null): Call | 'conflict' {
      if (stored === null) calls.delete(next.id);
      else keep(stored);
      return stored ?? 'conflict';
    },
    find(companyId: CompanyId, id: CallId): Call | null {
      const call = calls.get(id);
      return call?.companyId === companyId ? call : null;
    },
  };
}

/** About. */
function sizeOf({ metadata, screenPop }: Call): number {
  return (
    1_000 +
    (metadata?.text.length ?? 0) +
    (screenPop?.crm?.text.length ?? 0) +
    1_000 * (screenPop?.candidates?.length ?? 0)
  );
}
