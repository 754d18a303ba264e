// Softphones as integrators use them, whose gateway goes away: they find the way back by themselves.
import { Softphone, type SoftphoneEvents } from '../../src/client/softphone.ts';
import { serveVerbs } from '../worker.ts';

export type Stranded = {
  /** Resolves when all are connected and Ready. */
  connect(options: { url: string; tokens: string[] }): Promise<void>;
  /** Call it before they lose their gateway. @returns when the last one was Ready on another, ms since the epoch */
  comeBack(input: null): Promise<number>;
};

/** Softphones that connect at a time. */
const connecting = 50;

const softphones: Softphone[] = [];

serveVerbs({
  async connect({ url, tokens }: { url: string; tokens: string[] }) {
    const rest = tokens.values();
    const connectSome = async (): Promise<void> => {
      for (const token of rest) {
        const softphone = new Softphone({ url, token });
        // An answer may be lost with the gateway; whether the agent is Ready again is seen in the presence store.
        softphone.on('dial', ({ call_id }) => void wrapUp(softphone, call_id).catch(() => undefined));
        await softphone.connect();
        await softphone.setReady();
        softphones.push(softphone);
      }
    };
    await Promise.all(Array.from({ length: connecting }, connectSome));
  },

  async comeBack() {
    await Promise.all(softphones.map(readyAgain));
    return Date.now();
  },
} satisfies Stranded);

function readyAgain(softphone: Softphone): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused: SoftphoneEvents['line'] = (line, refusal) => {
      if (line === 'refused' || line === 'replaced')
        reject(new Error(`a softphone is ${line}: ${refusal?.detail ?? ''}`));
    };
    softphone.on('line', refused);
    softphone.once('snapshot', ({ agent }) => {
      softphone.off('line', refused);
      if (agent.state === 'ready') resolve();
      else reject(new Error(`an agent came back as ${agent.state} (${agent.reason})`));
    });
  });
}

async function wrapUp(softphone: Softphone, callId: string): Promise<void> {
  await softphone.reportProgress(callId, 'ended');
  await softphone.submitDisposition(callId, { code: 'resolved' });
}
