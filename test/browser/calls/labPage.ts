// Runs in the browser: the agent's workplace without the page around it, and ears for what it plays.
import { createWorkplace } from '../../../web/src/features/workplace/createWorkplace.ts';
import { type Heard, listenTo, type Whose } from './ears.ts';
import type { Workplace } from '../../../web/src/features/workplace/workplace.ts';

export type PageLab = {
  workplace: Workplace;
  /** Listens to what the agent hears, for so many milliseconds. */
  listen: (ms: number, whose: Whose) => Promise<Heard>;
  microphone: LabMicrophone;
  tones: LabTones;
  /** Bytes of audio that the call has carried so far; null: no connection is open. */
  carried: () => Promise<{ sent: number; received: number } | null>;
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

const { token, agentId, hasNoMicrophone, relayOnly, refusesSettings } = JSON.parse(
  sessionStorage.getItem('lab') ?? '{}',
) as LabOptions & {
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

/** In the order in which the page has opened them. */
const connections: RTCPeerConnection[] = [];
window.RTCPeerConnection = new Proxy(RTCPeerConnection, {
  construct(Original, [given = {}]: [RTCConfiguration?]) {
    if (refusesSettings === true) throw new DOMException('not well formed', 'SyntaxError');
    const connection = new Original(relayOnly === true ? { ...given, iceTransportPolicy: 'relay' } : given);
    connections.push(connection);
    return connection;
  },
});

/** Of the customer's call, which is open before any beside it. */
async function carried(): Promise<{ sent: number; received: number } | null> {
  const connection = connections.find(({ signalingState }) => signalingState !== 'closed');
  if (connection === undefined) return null;
  const sum = { sent: 0, received: 0 };
  type Report = { type: string; bytesSent?: number; bytesReceived?: number };
  (await connection.getStats()).forEach(({ type, bytesSent = 0, bytesReceived = 0 }: Report) => {
    if (type === 'outbound-rtp') sum.sent += bytesSent;
    if (type === 'inbound-rtp') sum.received += bytesReceived;
  });
  return sum;
}

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

window.lab = {
  workplace: createWorkplace({ url: location.origin, token, agentId }),
  listen: (ms, whose) => listenTo({ ms, whose }),
  tones,
  microphone,
  carried,
};
