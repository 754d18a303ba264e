import type { EndReason, ReportedEndDetail } from '../../../../src/contract/vocabulary.ts';

/** What it means that a call was not put through. `detail`: more closely, where the network said more. */
export type Refusal = { reason: EndReason; detail?: ReportedEndDetail };

const noAnswer: Refusal = { reason: 'no_answer' };
const notReachable: Refusal = { reason: 'no_answer', detail: 'not_reachable' };
const busy: Refusal = { reason: 'busy' };
const declined: Refusal = { reason: 'rejected' };
const notInService: Refusal = { reason: 'failed', detail: 'not_in_service' };
const incomplete: Refusal = { reason: 'failed', detail: 'number_incomplete' };
const unavailable: Refusal = { reason: 'failed', detail: 'service_unavailable' };
const noVoice: Refusal = { reason: 'failed', detail: 'no_common_voice' };

/**
 * Final answers to an INVITE (RFC 3261, 21; RFC 8197; RFC 8688).
 * Other 5xx are the service's fault, all else just failed.
 */
const bySipCode: Readonly<Record<number, Refusal>> = {
  401: { reason: 'failed', detail: 'not_allowed' },
  403: { reason: 'rejected', detail: 'not_allowed' },
  404: notInService,
  407: { reason: 'failed', detail: 'not_allowed' },
  408: noAnswer,
  410: notInService,
  414: incomplete,
  415: noVoice,
  416: incomplete,
  480: noAnswer,
  484: incomplete,
  485: incomplete,
  486: busy,
  487: { reason: 'canceled' },
  488: noVoice,
  600: busy,
  603: declined,
  604: notInService,
  606: noVoice,
  607: declined,
  608: declined,
};

/**
 * Causes of ITU-T Q.850, as telephone networks give them in `Reason` (RFC 6432), in the sense of RFC 3398, 8.2.6.1.
 * Those that say nothing (16, 31, 111, 127) are left out: the SIP code says more.
 */
const byCause: Readonly<Record<number, Refusal>> = {
  1: notInService,
  2: notInService,
  3: notInService,
  17: busy,
  18: noAnswer,
  19: noAnswer,
  20: notReachable,
  21: declined,
  22: notInService,
  27: { reason: 'failed', detail: 'not_reachable' },
  28: incomplete,
  34: unavailable,
  38: unavailable,
  41: unavailable,
  42: unavailable,
  47: unavailable,
  55: { reason: 'failed', detail: 'not_allowed' },
  57: { reason: 'failed', detail: 'not_allowed' },
  58: unavailable,
  65: noVoice,
  87: { reason: 'failed', detail: 'not_allowed' },
  88: noVoice,
  102: unavailable,
};

/**
 * What a final answer to an INVITE means. Reads numbers only: what a network writes beside them is in its own language.
 * @param code of the answer, 300 to 699
 * @param reasons the answer's `Reason` headers (RFC 3326)
 */
export function refusalOf(code: number, reasons: readonly string[] = []): Refusal {
  for (const cause of causesIn(reasons, 'Q.850')) if (byCause[cause] !== undefined) return byCause[cause];
  // A proxy must not pass a 503 on, and makes it a 500 (RFC 3261, 16.7); some tell of the answer that they got.
  const first = isVague(code) ? (causesIn(reasons, 'SIP').find((cause) => cause >= 300) ?? code) : code;
  return bySipCode[first] ?? (first >= 500 && first < 600 ? unavailable : { reason: 'failed' });
}

function isVague(code: number): boolean {
  return code >= 500 && code < 600;
}

/** The causes that `Reason` headers (RFC 3326) give in the words of a protocol. */
export function causesIn(reasons: readonly string[], protocol: 'Q.850' | 'SIP'): number[] {
  // What is quoted may hold anything, a comma too.
  const values = reasons.flatMap((reason) => reason.replaceAll(/"(?:\\.|[^"\\])*"/g, '').split(','));
  const ours = values.filter((value) => value.split(';')[0]?.trim().toLowerCase() === protocol.toLowerCase());
  return ours.map((value) => Number(/;\s*cause\s*=\s*(\d{1,3})(?!\d)/i.exec(value)?.[1] ?? 0));
}
