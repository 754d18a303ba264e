// A program: so many softphones (the real client) that they need a process of their own. Reads {url, tokens} from its
// standard input; says `ALL READY` and `ALL BACK`, each with figures, whenever that comes true.
import { text } from 'node:stream/consumers';
import { Softphone } from '../../../src/client/softphone.ts';

/** Arrive at most so many at a time: what is measured is how they come back. */
const arrivingAtOnce = 100;
const lookEveryMs = 50;
/** Everybody is back when nobody has been away for so long. */
const calmMs = 1_000;
/** Of a lost connection, less what it takes to notice one. */
const graceMs = 28_000;
const tellEveryMs = 5_000;

export type CrowdOrder = { url: string; tokens: string[] };
/**
 * Milliseconds; `lost`: for good, since the client gave up. `setbacks`: connections that were refused for the moment.
 * `tooLate`: back after the grace of 30 s, and so no longer Ready; `forgotten`: not Ready though back in time.
 */
export type CrowdFigures = {
  softphones: number;
  connected: number;
  away: number;
  medianAwayMs: number;
  longestAwayMs: number;
  setbacks: number;
  lost: number;
  tooLate: number;
  forgotten: number;
};

class Member {
  readonly softphone: Softphone;
  awaySince: number | null = null;
  awayMs: number[] = [];
  setbacks = 0;

  constructor(url: string, token: string) {
    this.softphone = new Softphone({ url, token });
    this.softphone.on('line', (_, refusal) => {
      if (refusal !== undefined) this.setbacks += 1;
      this.look();
    });
    this.softphone.on('agent', () => this.look());
  }

  get isThere(): boolean {
    const { line, agent } = this.softphone;
    return line === 'connected' && agent?.connection === 'connected';
  }

  get isReady(): boolean {
    return this.softphone.agent?.state === 'ready';
  }

  look(): void {
    if (!this.isThere) this.awaySince ??= performance.now();
    else if (this.awaySince !== null) {
      this.awayMs.push(performance.now() - this.awaySince);
      this.awaySince = null;
    }
  }
}

const { url, tokens } = JSON.parse(await text(process.stdin)) as CrowdOrder;
const members = tokens.map((token) => new Member(url, token));
for (let start = 0; start < members.length; start += arrivingAtOnce) {
  await Promise.all(
    members.slice(start, start + arrivingAtOnce).map(async ({ softphone }) => {
      await softphone.connect();
      await softphone.setReady();
    }),
  );
}
forget();
console.log(`ALL READY ${JSON.stringify(figures())}`);

let calmSince: number | null = null;
setInterval(() => console.log(`so far ${JSON.stringify(figures())}`), tellEveryMs);
setInterval(() => {
  const everyone = members.every((member) => member.isThere);
  const someWereAway = members.some(({ awayMs, awaySince }) => awayMs.length > 0 || awaySince !== null);
  const lost = members.some(({ softphone }) => softphone.line === 'refused' || softphone.line === 'replaced');
  if (lost) console.log(`LOST ${JSON.stringify(figures())}`);
  if (!everyone || !someWereAway) {
    calmSince = null;
    return;
  }
  calmSince ??= performance.now();
  if (performance.now() - calmSince < calmMs) return;
  console.log(`ALL BACK ${JSON.stringify(figures())}`);
  forget();
}, lookEveryMs);

function forget(): void {
  for (const member of members) {
    member.awayMs = [];
    member.awaySince = null;
    member.setbacks = 0;
  }
}

function figures(): CrowdFigures {
  const times = members
    .map(({ awayMs }) => awayMs.reduce((sum, ms) => sum + ms, 0))
    .filter((ms) => ms > 0)
    .toSorted((one, other) => one - other);
  const late = members.filter((member) => member.isThere && !member.isReady);
  const tooLate = late.filter(({ awayMs }) => awayMs.some((ms) => ms >= graceMs)).length;
  return {
    softphones: members.length,
    connected: members.filter((member) => member.isThere).length,
    tooLate,
    forgotten: late.length - tooLate,
    away: times.length,
    medianAwayMs: Math.round(times[Math.floor(times.length / 2)] ?? 0),
    longestAwayMs: Math.round(times.at(-1) ?? 0),
    setbacks: members.reduce((sum, { setbacks }) => sum + setbacks, 0),
    lost: members.filter(({ softphone }) => softphone.line === 'refused' || softphone.line === 'replaced').length,
  };
}
