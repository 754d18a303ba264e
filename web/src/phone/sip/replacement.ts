import type { DialogInside, IncomingRequestInside } from './jssipInside.ts';

/**
 * Whether an INVITE may take the place of this call (RFC 3891). JsSIP has found the call by the Call-ID, and takes the tags
 * either way round.
 * @returns the code to refuse it with; null: it may
 */
export function refusalOfReplacement(
  request: IncomingRequestInside,
  call: { dialog: DialogInside; isAnswered: boolean; isOurs: boolean },
): number | null {
  const { replaces } = request;
  if (replaces === undefined || request.getHeaders('replaces').length !== 1) return 400;
  const { local_tag: own, remote_tag: theirs } = call.dialog.id;
  if (replaces.to_tag !== own || replaces.from_tag !== theirs) return 481;
  // Of a call that rings here, only the agent decides.
  if (!call.isAnswered) return call.isOurs ? null : 481;
  return replaces.early_only === true ? 486 : null;
}
