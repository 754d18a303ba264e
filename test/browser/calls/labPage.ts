// Runs in the browser: the agent's workplace without the page around it, and ears for what it plays.
import { createWorkplace } from '../../../web/src/features/workplace/createWorkplace.ts';
import type { Workplace } from '../../../web/src/features/workplace/workplace.ts';

/** The loudest frequency that was heard, and how loud. */
export type Heard = { hertz: number; decibels: number };

export type PageLab = {
  workplace: Workplace;
  /** Listens to what the agent hears, for so many milliseconds. */
  listen: (ms: number) => Promise<Heard>;
  microphone: LabMicrophone;
  tones: LabTones;
};

/** What the browser puts into its stream beside the audio (RFC 4733). */
export type LabTones = {
  /** Those that have gone out. */
  played: () => string;
  /** How long the page wants tones and the gaps between them to be, in milliseconds: `100/70`. */
  pace: () => string[];
};

export type LabMicrophone = {
  /** How often the page has asked for it. */
  asked: () => number;
  /** How many are open. */
  open: () => number;
  /** How many are open and not muted. */
  heard: () => number;
  /** Whoever asks for it waits until it is let go. */
  hold: () => void;
  letGo: () => void;
  /** The one that is open is pulled out; another one is there still. */
  lose: () => void;
  /** All are pulled out, or one is plugged in. */
  setPlugged: (isPlugged: boolean) => void;
};

export type LabOptions = {
  /** As if none were plugged in. */
  hasNoMicrophone?: boolean;
  /** As if the machine had no network of its own. */
  relayOnly?: boolean;
  /** As if the browser took no part of the settings for right. */
  refusesSettings?: boolean;
};

declare global {
  interface Window {
    lab: PageLab;
  }
}

const { token, agentId, hasNoMicrophone, relayOnly, refusesSettings } = JSON.parse(sessionStorage.getItem('lab') ?? '{}') as LabOptions & {
  token: string;
  agentId: string;
};

const devices = navigator.mediaDevices;
const open = devices.getUserMedia.bind(devices);
const list = devices.enumerateDevices.bind(devices);
const tracks: MediaStreamTrack[] = [];
let isPlugged = hasNoMicrophone !== true;
let asked = 0;
let gate = Promise.resolve();
let openGate = () => {};

devices.enumerateDevices = async () => (isPlugged ? list() : []);
devices.getUserMedia = async () => {
  asked += 1;
  await gate;
  if (!isPlugged) throw new DOMException('none', 'NotFoundError');
  // A tone has to arrive as it was sent, so nothing may be cleaned away from it.
  const stream = await open({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  tracks.push(...stream.getTracks());
  return stream;
};

/** Of a track that its page stops itself, browsers tell no end. */
function lose(): void {
  const [track] = tracks.filter(({ readyState }) => readyState === 'live');
  track?.stop();
  track?.dispatchEvent(new Event('ended'));
}

const microphone: LabMicrophone = {
  asked: () => asked,
  open: () => tracks.filter(({ readyState }) => readyState === 'live').length,
  heard: () => tracks.filter(({ readyState, enabled }) => readyState === 'live' && enabled).length,
  hold: () => void (gate = new Promise((resolve) => (openGate = resolve))),
  letGo: () => openGate(),
  lose,
  setPlugged: (plugged) => {
    isPlugged = plugged;
    if (!plugged) lose();
    devices.dispatchEvent(new Event('devicechange'));
  },
};

window.RTCPeerConnection = new Proxy(RTCPeerConnection, {
  construct(Original, [given = {}]: [RTCConfiguration?]) {
    if (refusesSettings === true) throw new DOMException('not well formed', 'SyntaxError');
    return new Original(relayOnly === true ? { ...given, iceTransportPolicy: 'relay' } : given);
  },
});

const played: string[] = [];
const paces = new Set<string>();
const heardOf = new WeakSet<RTCDTMFSender>();
RTCDTMFSender.prototype.insertDTMF = new Proxy(RTCDTMFSender.prototype.insertDTMF, {
  apply(insert, sender: RTCDTMFSender, given: [string, number?, number?]) {
    if (!heardOf.has(sender)) sender.addEventListener('tonechange', ({ tone }) => void played.push(tone));
    heardOf.add(sender);
    paces.add(`${given[1]}/${given[2]}`);
    Reflect.apply(insert, sender, given);
  },
});
const tones: LabTones = { played: () => played.join(''), pace: () => [...paces] };

window.lab = { workplace: createWorkplace({ url: location.origin, token, agentId }), listen, tones, microphone };

/** One for all listening, and without a loudspeaker: this machine need not have one. */
let ears: AudioContext | null = null;

async function listen(ms: number): Promise<Heard> {
  const stream = document.querySelector('audio')?.srcObject;
  // Of a call that is held, nothing arrives at all.
  if (!(stream instanceof MediaStream) || stream.getAudioTracks().length === 0) return { hertz: 0, decibels: -Infinity };
  const context = (ears ??= new AudioContext({ sinkId: { type: 'none' } } as AudioContextOptions));
  const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
  const bins = new Float32Array(analyser.frequencyBinCount);
  let loudest: Heard = { hertz: 0, decibels: -Infinity };
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    analyser.getFloatFrequencyData(bins);
    bins.forEach((decibels, bin) => {
      const hertz = (bin * context.sampleRate) / analyser.fftSize;
      // Below is the hum of the window itself.
      if (decibels > loudest.decibels && hertz > 100) loudest = { hertz, decibels };
    });
  }
  source.disconnect();
  return loudest;
}
