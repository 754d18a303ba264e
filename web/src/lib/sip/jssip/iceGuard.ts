/** After the first candidate that can be used, others may come for this long. Milliseconds. */
const gatherMs = 300;
/** Without a candidate by then, there is none: the browser says nothing of it. Milliseconds. */
const noneWithinMs = 3_000;

type Listener = {
  /** Nothing can be sent: there is no network that the browser would use. */
  onNone: () => void;
};

/**
 * Waits briefly for ICE candidates. An unreachable STUN server would hold a call back for 40 s, and a machine without
 * a usable network for ever.
 */
export class IceGuard {
  #ready: (() => void) | null = null;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  readonly #guard: ReturnType<typeof setTimeout>;

  /** Begins with the gathering. */
  constructor({ onNone }: Listener) {
    this.#guard = setTimeout(onNone, noneWithinMs);
  }

  /** A candidate has come. @param ready sends what there is */
  take(candidate: RTCIceCandidate, ready: () => void): void {
    this.#ready = ready;
    // Port 9 belongs to TCP candidates that only call out; a telephone network seldom listens for them.
    if (this.#gathering !== undefined || candidate.port === 9) return;
    clearTimeout(this.#guard);
    this.#gathering = setTimeout(() => this.#ready?.(), gatherMs);
  }

  stop(): void {
    clearTimeout(this.#guard);
    clearTimeout(this.#gathering);
  }
}

/** Whether a description tells of any way to this browser. */
export function hasCandidate(sdp: string): boolean {
  return /^a=candidate:/m.test(sdp);
}

/**
 * An offer by which both sides look for another way for the voice (ICE restart),
 * with the addresses that this machine has now, and these servers. Rejects where it has none.
 */
export async function freshOffer(connection: RTCPeerConnection, iceServers: RTCIceServer[]): Promise<string> {
  connection.setConfiguration({ ...connection.getConfiguration(), iceServers });
  await connection.setLocalDescription(await connection.createOffer({ iceRestart: true }));
  await candidates(connection);
  return connection.localDescription?.sdp ?? '';
}

function candidates(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const guard = new IceGuard({ onNone: () => done(() => reject(new Error('no network to send the voice through'))) });
    const take = ({ candidate }: RTCPeerConnectionIceEvent) => {
      if (candidate !== null && candidate.candidate !== '') guard.take(candidate, () => done(resolve));
    };
    function done(settle: () => void): void {
      guard.stop();
      connection.removeEventListener('icecandidate', take);
      settle();
    }
    connection.addEventListener('icecandidate', take);
  });
}
