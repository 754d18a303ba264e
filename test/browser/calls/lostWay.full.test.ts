import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../../support/gateway/gateway.ts';
import { LossyRelay } from '../../support/sip/lossyRelay.ts';
import { openCallLab, type CallLab } from './callRoom.ts';
import { SipLine } from './sipLine.ts';
import { toneFile } from './tones.ts';

let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'lostway', wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(1_000)}`] });

type Seat = { lab: CallLab; line: SipLine; relay: LossyRelay };

/** In a call with the echo of the demo: what is heard has gone both ways, through a NAT that can lose it. */
async function talking(): Promise<Seat> {
  const agent = await gateway.agent(company, `way${agents++}`);
  const relay = new LossyRelay();
  onTestFinished(() => relay.close());
  const line = new SipLine((message) => relay.through(message));
  const profile = await browser.profile({ context: { bypassCSP: true } });
  const lab = await openCallLab(profile, gateway, agent, { onPage: (page) => line.on(page) });
  await lab.dial('+15551230001');
  await lab.isConnected();
  await lab.hears();
  return { lab, line, relay };
}

/** The browser finds out by its own clock, which nobody can advance: this much of a loss is real. */
const pass = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
const isTold = (lab: CallLab) => lab.sees('what is the matter', ({ voiceTrouble }) => voiceTrouble !== null);

/**
 * Nothing comes through for so long, and whoever comes then comes from another port,
 * as behind a NAT that has forgotten them.
 */
async function lose({ lab, relay }: Seat, seconds: number): Promise<void> {
  relay.lose({ forgets: true });
  const told = isTold(lab);
  await pass(seconds);
  relay.mend();
  await told;
}

/** The call goes on: what is said is heard there, and comes back; and nothing is told any more. */
async function isHeardAgain({ lab, line }: Seat): Promise<void> {
  await lab.sees('that it is over', ({ call, voiceTrouble }) => call?.state === 'connected' && voiceTrouble === null);
  expect(await lab.hears()).toBeCloseTo(1_000, -2);
  expect(line.said.filter((text) => text.startsWith('BYE '))).toEqual([]);
}

const isOffer = (text: string) => /^INVITE [^]*\nTo:[^\n]*;tag=/i.test(text);
const seats = <T>(cases: readonly T[], play: (one: T) => Promise<void>) => Promise.all(cases.map(play));

describe('a way for the voice that is lost', () => {
  it('for 2, 5, 12, 28 or 40 seconds is found again, and both sides are heard', () =>
    seats([2, 5, 12, 28, 40], async (seconds) => {
      const seat = await talking();
      await lose(seat, seconds);
      await isHeardAgain(seat);
    }));

  it('is found, too, where the PBX refuses at first, offers something itself, or is out of reach meanwhile; and of a call on hold', () =>
    seats<(seat: Seat) => Promise<void>>(
      [
        ...['488 Not Acceptable Here', '491 Request Pending', '500 Server Internal Error'].map(
          (status) => async (seat: Seat) => {
            let refused = 0;
            seat.line.refuse((text) => (isOffer(text) && (refused += 1) === 1 ? status : null));
            await lose(seat, 12);
            await isHeardAgain(seat);
            expect(refused).toBeGreaterThan(1);
          },
        ),
        async (seat) => {
          await seat.line.cut();
          const lost = lose(seat, 8);
          // The demo waits for a page whose line is gone, but not for ever.
          await pass(3);
          seat.line.mend();
          await lost;
          await isHeardAgain(seat);
        },
        async (seat) => {
          const hold = (isHeld: boolean) =>
            seat.lab.page.evaluate((held) => window.lab.workplace.setHeld(held), isHeld);
          await hold(true);
          await seat.lab.sees('a held call', ({ isHeld }) => isHeld);
          await lose(seat, 12);
          await hold(false);
          await isHeardAgain(seat);
        },
      ],
      async (play) => play(await talking()),
    ));
});
