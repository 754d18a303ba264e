/** Why a microphone cannot be used: the browser may not ask for it, another program has it, or something else. */
export type Refused = 'forbidden' | 'busy' | 'other';

/** A microphone that is open, or why there is none, with what to do. */
export type Microphone = { kind: 'usable'; input: OpenMicrophone } | { kind: 'unusable'; why: Refused; detail: string };

const usual: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
export const nonePlugged = 'There is no microphone. Plug in a headset.';

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
    return { kind: 'unusable', ...whyNot(error instanceof DOMException ? error.name : '') };
  }
}

/** Whether any is plugged in, without asking for it. */
export async function isPlugged(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === 'audioinput');
}

function whyNot(name: string): { why: Refused; detail: string } {
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return { why: 'forbidden', detail: 'This page may not use the microphone. Allow it in the address bar of the browser.' };
    case 'NotFoundError':
    case 'OverconstrainedError':
      return { why: 'other', detail: nonePlugged };
    case 'NotReadableError':
    case 'AbortError':
      return { why: 'busy', detail: 'The microphone is in use by another program, or broken. Close that program, or plug the headset in again.' };
    default:
      return { why: 'other', detail: 'The microphone cannot be used.' };
  }
}
