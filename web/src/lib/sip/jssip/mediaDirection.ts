/** Which way the audio of an offer or an answer goes, as its sender sees it (RFC 3264). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

const line = /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m;

/** Of the audio; where that does not say, of the whole session, else both ways. */
export function directionOf(sdp: string): Direction {
  const { session, audio } = partsOf(sdp);
  return (line.exec(audio)?.[1] ?? line.exec(session)?.[1] ?? 'sendrecv') as Direction;
}

/** The same description with another direction of its audio. */
export function withDirection(sdp: string, direction: Direction): string {
  const { session, audio, rest } = partsOf(sdp);
  if (audio === '') return sdp;
  const changed = line.test(audio) ? audio.replace(line, `a=${direction}\r`) : `${audio.replace(/\r?\n?$/, '')}\r\na=${direction}\r\n`;
  return session + changed + rest;
}

/** Whether the sender wants to hear nothing: it holds the call. */
export function isHolding(direction: Direction): boolean {
  return direction === 'sendonly' || direction === 'inactive';
}

/**
 * Hold as it was before RFC 3264 had directions: an address to which nothing can be sent. Together with port 9 it stands for
 * a browser that does not know its address yet.
 */
export function isHeldByAddress(sdp: string): boolean {
  const { session, audio } = partsOf(sdp);
  const address = /^c=IN IP4 (\S+)/m;
  const isNowhere = (address.exec(audio) ?? address.exec(session))?.[1] === '0.0.0.0';
  return isNowhere && !audio.startsWith('m=audio 9 ');
}

/** An answer that fits what was offered: some networks claim more than that. */
export function answerWithin(offered: Direction, answer: string): string {
  const direction = directionOf(answer);
  if (offered === 'inactive') return withDirection(answer, 'inactive');
  if (offered !== 'sendonly') return answer;
  if (direction === 'sendrecv') return withDirection(answer, 'recvonly');
  return direction === 'sendonly' ? withDirection(answer, 'inactive') : answer;
}

function partsOf(sdp: string): { session: string; audio: string; rest: string } {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  const which = media.findIndex((one) => one.startsWith('m=audio '));
  if (which === -1) return { session: sdp, audio: '', rest: '' };
  return { session: session + media.slice(0, which).join(''), audio: media[which] ?? '', rest: media.slice(which + 1).join('') };
}
