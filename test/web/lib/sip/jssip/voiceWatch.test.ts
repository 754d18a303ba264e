import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VoiceTrouble } from '../../../../../web/src/lib/sip/phoneCall.ts';
import type { ReofferOutcome } from '../../../../../web/src/lib/sip/jssip/reoffers.ts';
import { VoiceWatch } from '../../../../../web/src/lib/sip/jssip/voiceWatch.ts';

/** A connection whose way and packets the test has in hand. */
class HandConnection extends EventTarget {
  iceConnectionState = 'connected';
  packets = 0;
  reportAt = 0;
  /** What the other side says of what it has got; null: nothing. */
  lostThere: { at: number; fractionLost: number } | null = null;
  becomes(state: string): void {
    this.iceConnectionState = state;
    this.dispatchEvent(new Event('iceconnectionstatechange'));
  }
  getStats(): Promise<Map<string, object>> {
    return Promise.resolve(
      new Map<string, object>([
        ['in', { type: 'inbound-rtp', packetsReceived: this.packets, timestamp: Date.now() }],
        ['sr', { type: 'remote-outbound-rtp', timestamp: this.reportAt }],
        ...(this.lostThere === null
          ? []
          : [
              [
                'rr',
                { type: 'remote-inbound-rtp', timestamp: this.lostThere.at, fractionLost: this.lostThere.fractionLost },
              ] as const,
            ]),
        ['pair', { type: 'candidate-pair', timestamp: Date.now() }],
      ]),
    );
  }
}

let connection: HandConnection;
let watch: VoiceWatch;
let told: (VoiceTrouble['kind'] | null)[];
let isHeld: boolean;
let isConnected: boolean;
const restart = vi.fn<(isNeeded: () => boolean) => Promise<ReofferOutcome>>();
const checkLine = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  connection = new HandConnection();
  told = [];
  isHeld = false;
  isConnected = true;
  restart.mockReset().mockResolvedValue('done');
  checkLine.mockReset();
  watch = new VoiceWatch({
    connection: connection as unknown as RTCPeerConnection,
    isHeld: () => isHeld,
    isConnected: () => isConnected,
    checkLine,
    restart,
    onQuality: () => undefined,
    onTrouble: (trouble) => void told.push(trouble?.kind ?? null),
  });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

/** Second after second. @param arrives what comes in each of them */
async function pass(seconds: number, arrives: (second: number) => void = () => undefined): Promise<void> {
  for (let second = 1; second <= seconds; second++) {
    arrives(second);
    await vi.advanceTimersByTimeAsync(1_000);
  }
}
const talks = () => void (connection.packets += 50);

describe('a customer of whom nothing arrives any more', () => {
  it('is told within fifteen seconds, with the line looked after, and not any more when they are back', async () => {
    await pass(30, talks);
    expect(told).toEqual([]);
    await pass(14);
    expect(told).toEqual(['silent']);
    expect(checkLine).toHaveBeenCalled();
    const since = Date.now() - (watch.trouble as { since: number }).since;
    expect(Math.round(since / 1_000)).toBe(14);
    await pass(60);
    expect(told).toEqual(['silent']);
    await pass(1, talks);
    expect(told).toEqual(['silent', null]);
  });

  it('is looked for by another way at once, and a few times more, until they are heard', async () => {
    const at: number[] = [];
    restart.mockImplementation(() => {
      at.push(Date.now());
      // As the browser sees it there is a way all the time.
      connection.becomes('checking');
      connection.becomes('connected');
      return Promise.resolve('done');
    });
    await pass(300);
    expect(told).toEqual(['silent']);
    expect(at.slice(1).map((time, n) => time - at[n]!)).toEqual([4_000, 8_000, 16_000, 30_000, 30_000]);
    await pass(1, talks);
    expect(told).toEqual(['silent', null]);
    await pass(60, talks);
    expect(at).toHaveLength(6);
    await pass(12);
    expect(at).toHaveLength(7);
    await pass(20, talks);
    expect(at).toHaveLength(7);
  });

  it('is told of one who was never heard, too', async () => {
    await pass(14);
    expect(told).toEqual(['silent']);
  });

  it.each<[string, () => void, (second: number) => void]>([
    ['is held', () => void (isHeld = true), () => undefined],
    [
      'says nothing to a telephone that sends nothing then, but reports',
      () => undefined,
      (second) => void (connection.reportAt = Math.ceil(second / 5)),
    ],
    [
      'says nothing to a telephone that sends a little noise now and then',
      () => undefined,
      (second) => void (connection.packets += second % 8 === 0 ? 1 : 0),
    ],
  ])('is not told of one who %s', async (_what, begin, arrives) => {
    await pass(5, talks);
    begin();
    await pass(120, arrives);
    expect(told).toEqual([]);
  });

  it('has its time from the end of a hold', async () => {
    isHeld = true;
    await pass(60);
    isHeld = false;
    await pass(8);
    expect(told).toEqual([]);
    await pass(6);
    expect(told).toEqual(['silent']);
  });
});

describe('an agent of whom nothing arrives at the customer', () => {
  /** The other side reports every five seconds. */
  const reports = (fractionLost: number) => (second: number) => {
    talks();
    if (second % 5 === 0) connection.lostThere = { at: Date.now(), fractionLost };
  };

  it('is told, and looked for by another way, until the other side says that it hears', async () => {
    await pass(10, reports(0.02));
    await pass(9, reports(1));
    expect(told).toEqual([]);
    await pass(7, reports(1));
    expect(told).toEqual(['reconnecting']);
    connection.becomes('checking');
    connection.becomes('connected');
    expect(told).toEqual(['reconnecting']);
    expect(restart.mock.calls.length).toBeGreaterThan(0);
    await pass(6, reports(0.1));
    expect(told).toEqual(['reconnecting', null]);
    const { length } = restart.mock.calls;
    await pass(60, reports(0));
    expect(restart.mock.calls).toHaveLength(length);
  });

  it('is no trouble where the other side has never said anything else', async () => {
    await pass(120, reports(1));
    expect(told).toEqual([]);
    expect(restart).not.toHaveBeenCalled();
  });

  it('is no trouble on hold', async () => {
    await pass(10, reports(0));
    await pass(13, reports(1));
    isHeld = true;
    await pass(60, reports(1));
    expect(told.at(-1) ?? null).toBeNull();
  });
});

describe('a way for the voice that is lost', () => {
  it('is told at once, and another one is looked for unless it heals by itself', async () => {
    connection.becomes('disconnected');
    expect(told).toEqual(['reconnecting']);
    connection.becomes('connected');
    expect(told).toEqual(['reconnecting', null]);
    await pass(5, talks);
    expect(restart).not.toHaveBeenCalled();
    connection.becomes('disconnected');
    await pass(2);
    expect(restart).toHaveBeenCalledTimes(1);
    expect(checkLine).toHaveBeenCalledTimes(1);
  });

  it('is looked for at once where it has failed, and again, ever more seldom, until it is found', async () => {
    connection.becomes('failed');
    const at: number[] = [];
    restart.mockImplementation(() => {
      at.push(Date.now());
      return Promise.resolve(at.length % 2 === 0 ? 'refused' : 'done');
    });
    await pass(300);
    const gaps = at.slice(1).map((time, n) => time - at[n]!);
    expect(gaps.slice(0, 4)).toEqual([4_000, 8_000, 16_000, 30_000]);
    expect(gaps.length).toBeGreaterThan(8);
    connection.becomes('checking');
    connection.becomes('connected');
    expect(told).toEqual(['reconnecting', null]);
    const { length } = at;
    await pass(60, talks);
    expect(at).toHaveLength(length);
  });

  it('waits for a line to the telephone network, and goes on as soon as there is one', async () => {
    isConnected = false;
    connection.becomes('failed');
    await pass(2);
    expect(restart).not.toHaveBeenCalled();
    isConnected = true;
    watch.lineIsBack();
    await vi.advanceTimersByTimeAsync(1);
    expect(restart).toHaveBeenCalledTimes(1);
  });

  it('is looked for once at a time, and not after the call', async () => {
    let settle!: (outcome: ReofferOutcome) => void;
    restart.mockReturnValue(new Promise((resolve) => (settle = resolve)));
    connection.becomes('failed');
    await pass(1);
    watch.lineIsBack();
    await pass(60);
    expect(restart).toHaveBeenCalledTimes(1);
    watch.stop();
    settle('lost');
    await pass(60);
    expect(restart).toHaveBeenCalledTimes(1);
    expect(told).toEqual(['reconnecting']);
  });

  it('that heals while another one is prepared is kept', async () => {
    connection.becomes('failed');
    await pass(1);
    const isNeeded = restart.mock.calls[0]![0];
    expect(isNeeded()).toBe(true);
    connection.becomes('connected');
    expect(isNeeded()).toBe(false);
  });

  it('is not told of as silence as well', async () => {
    connection.becomes('disconnected');
    await pass(60);
    expect(told).toEqual(['reconnecting']);
  });
});
