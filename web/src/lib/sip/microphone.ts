import { deviceFor, readAudioSettings } from './audioDevices.ts';

/**
 * Why a microphone cannot be used: none is plugged in, the browser may not ask for it, another program has it,
 * or something else.
 */
export type Refused = 'microphone_missing' | 'microphone_forbidden' | 'microphone_busy' | 'microphone_unusable';

/** A microphone that is open, or why there is none. */
export type Microphone = { kind: 'usable'; input: OpenMicrophone } | { kind: 'unusable'; why: Refused };

/** What is asked for: the chosen device where it is plugged in. */
async function wanted(): Promise<MediaTrackConstraints> {
  const { echoCancellation, noiseSuppression } = readAudioSettings();
  const deviceId = await deviceFor('microphone');
  return {
    echoCancellation,
    noiseSuppression,
    autoGainControl: true,
    ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
  };
}

/** What one call, or one check, hears the agent by. Whoever opened it closes it. */
export class OpenMicrophone {
  readonly stream: MediaStream;
  readonly #asked: string;

  /** @param asked how it was asked for */
  constructor(stream: MediaStream, asked: MediaTrackConstraints) {
    this.stream = stream;
    this.#asked = JSON.stringify(asked);
  }

  get track(): MediaStreamTrack | null {
    return this.stream.getAudioTracks()[0] ?? null;
  }
  /** Whether it can still be heard: a headset can be unplugged. */
  get isLive(): boolean {
    return this.track?.readyState === 'live';
  }

  /** Whether another would be opened now: something else was chosen, or what was chosen was plugged in or out. */
  async isOutdated(): Promise<boolean> {
    return !this.isLive || JSON.stringify(await wanted()) !== this.#asked;
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
    const asked = await wanted();
    const stream = await capture(asked);
    return { kind: 'usable', input: new OpenMicrophone(stream, asked) };
  } catch (error) {
    return { kind: 'unusable', why: whyNot(error instanceof DOMException ? error.name : '') };
  }
}

/** Where the chosen device was just unplugged, or cannot be had, another serves. */
async function capture(asked: MediaTrackConstraints): Promise<MediaStream> {
  const { deviceId, ...others } = asked;
  const open = (audio: MediaTrackConstraints) => navigator.mediaDevices.getUserMedia({ audio, video: false });
  if (deviceId === undefined) return open(others);
  return open(asked).catch((error: unknown) => {
    // Whoever has said no is not asked again.
    if (error instanceof DOMException && whyNot(error.name) === 'microphone_forbidden') throw error;
    return open(others);
  });
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
