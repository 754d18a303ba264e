// Runs in the browser: the agent's workplace without the page around it, and ears for what it plays.
import { createWorkplace } from '../../../web/src/workplace/createWorkplace.ts';
import type { Workplace } from '../../../web/src/workplace/workplace.ts';

/** The loudest frequency that was heard, and how loud. */
export type Heard = { hertz: number; decibels: number };

export type VoiceLab = {
  workplace: Workplace;
  /** Listens to what the agent hears, for so many milliseconds. */
  listen: (ms: number) => Promise<Heard>;
  /** The next tone that the browser puts into its stream (RFC 4733). */
  nextTone: () => Promise<string>;
};

export type LabOptions = {
  /** As if none were plugged in. */
  hasNoMicrophone?: boolean;
  /** As if the machine had no network of its own. */
  relayOnly?: boolean;
};

declare global {
  interface Window {
    lab: VoiceLab;
  }
}

const { token, agentId, hasNoMicrophone, relayOnly } = JSON.parse(sessionStorage.getItem('lab') ?? '{}') as LabOptions & {
  token: string;
  agentId: string;
};

const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = () => {
  if (hasNoMicrophone === true) return Promise.reject(new DOMException('none', 'NotFoundError'));
  // A tone has to arrive as it was sent, so nothing may be cleaned away from it.
  return open({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
};

let connection: RTCPeerConnection | null = null;
window.RTCPeerConnection = new Proxy(RTCPeerConnection, {
  construct(Original, [given = {}]: [RTCConfiguration?]) {
    connection = new Original(relayOnly === true ? { ...given, iceTransportPolicy: 'relay' } : given);
    return connection;
  },
});

function nextTone(): Promise<string> {
  const sender = connection?.getSenders().find(({ track }) => track?.kind === 'audio');
  return new Promise((resolve) => sender?.dtmf?.addEventListener('tonechange', ({ tone }) => resolve(tone), { once: true }));
}

window.lab = { workplace: createWorkplace({ url: location.origin, token, agentId }), listen, nextTone };

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
