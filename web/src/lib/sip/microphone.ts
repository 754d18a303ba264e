/** Why a microphone cannot be used: none is plugged in, the browser may not ask for it, another program has it, or something else. */
export type Refused = 'microphone_missing' | 'microphone_forbidden' | 'microphone_busy' | 'microphone_unusable';

/** A microphone that is open, or why there is none. */
export type Microphone = { kind: 'usable'; input: OpenMicrophone } | { kind: 'unusable'; why: Refused };

const usual: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/** What one call, or one check, hears the agent by. Whoever opened it closes it. */
export class OpenMicrophone {
  readonly stream: MediaStream;

  constructor(stream: MediaStream) {
    this.stream = stream;
  }

  get track(): MediaStreamTrack | null {
    return this.stream.getAudioTracks()[0] ?? null;
  }
  /** Whether it can still be heard: a headset can be unplugged. */
  get isLive(): boolean {
    return this.track?.readyState === 'live';
  }

  /** @param isMuted nothing is heard of it */
  setMuted(isMuted: boolean): void {
    if (this.track !== null) this.track.enabled = !isMuted;
  }

  /** Listens for its loss; closing it is none. */
  onLost(listener: () => void): void {
    this.track?.addEventListener('ended', listener, { once: true });
  }

  close(): void {
    for (const track of this.stream.getTracks()) track.stop();
  }
}

/** Asks for the microphone; the browser asks the agent unless it knows the answer. */
export async function openMicrophone(): Promise<Microphone> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: usual, video: false });
    return { kind: 'usable', input: new OpenMicrophone(stream) };
  } catch (error) {
    return { kind: 'unusable', why: whyNot(error instanceof DOMException ? error.name : '') };
  }
}

/** Whether any is plugged in, without asking for it. */
export async function isPlugged(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === 'audioinput');
}

function whyNot(name: string): Refused {
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'microphone_forbidden';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'microphone_missing';
    case 'NotReadableError':
    case 'AbortError':
      return 'microphone_busy';
    default:
      return 'microphone_unusable';
  }
}
