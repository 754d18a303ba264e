import { callsEnd, everybodyFree, nobodyBlamed, noGhosts, oneCallByPhone, oneCallByRecord } from './agents.ts';
import { answered, dialsKept, keysDialOnce, noPopOfFailure } from './clicks.ts';
import type { Aftermath, Finding } from './finding.ts';
import { refusedDidNothing } from './refusals.ts';
import { eventsArrive } from './webhooks.ts';

const invariants = [
  answered,
  oneCallByRecord,
  oneCallByPhone,
  dialsKept,
  keysDialOnce,
  refusedDidNothing,
  noPopOfFailure,
  noGhosts,
  eventsArrive,
  callsEnd,
  everybodyFree,
  nobodyBlamed,
];

/** What every scenario has to leave true. */
export function checkAll(aftermath: Aftermath): Finding[] {
  return invariants.map((invariant) => invariant(aftermath));
}
