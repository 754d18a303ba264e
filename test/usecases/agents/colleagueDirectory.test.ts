import { describe, expect, it } from 'vitest';
import type { ColleagueView } from '../../../src/contract/colleagues.ts';
import type { AgentCard } from '../../../src/domain/company.ts';
import type { AgentId, CompanyId } from '../../../src/domain/ids.ts';
import type { Presence } from '../../../src/domain/presence.ts';
import { createColleagueDirectory } from '../../../src/usecases/agents/colleagueDirectory.ts';
import { findColleagues } from '../../../src/usecases/agents/findColleagues.ts';
import { after, ask, fresh, newClaim, noon, signedIn } from '../../support/stores/presenceFixtures.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

const companyId = fresh<CompanyId>();

/** A company whose people are named `Person 00000` on, in that order; `present` are there. */
function companyOf(count: number, present: (ids: AgentId[]) => Presence[] = () => []) {
  const people = Array.from({ length: count }, (_, place): AgentCard => {
    const number = String(place).padStart(5, '0');
    return { id: fresh<AgentId>(), agentCode: `p${number}`, name: `Pérson ${number}` };
  });
  const ids = people.map(({ id }) => id);
  const clock = createManualClock(noon);
  const there = { now: present(ids), isReachable: true };
  const reads = { people: 0, presences: 0, teams: 0 };
  const telephony = { mode: 'sip' };
  const services = {
    clock,
    telephony: { find: async () => telephony },
    demoCarrier: null,
    agents: { people: async () => ((reads.people += 1), people), extensions: async () => new Map([[ids[0], '200']]) },
    presence: {
      list: async () => {
        reads.presences += 1;
        if (!there.isReachable) throw new Error('cannot be reached');
        return there.now;
      },
    },
    teams: {
      membersOf: async (_company: CompanyId, code: string) => (
        (reads.teams += 1),
        code.trim().toLowerCase() === 'sales' ? { agentIds: ids.slice(2, 4) } : null
      ),
    },
  } as unknown as Parameters<typeof createColleagueDirectory>[0];
  const colleagues = createColleagueDirectory(services);
  const find = async (query: Partial<Parameters<typeof findColleagues>[2]> = {}) => {
    const found = await findColleagues({ colleagues }, companyId, { q: '', limit: 20, ...query });
    return found.kind === 'ok' ? found.value.colleagues : found.code;
  };
  return { clock, ids, people, reads, telephony, there, colleagues, find };
}

const named = (found: Awaited<ReturnType<ReturnType<typeof companyOf>['find']>>) =>
  typeof found === 'string' ? found : found.map(({ agent_code, state }) => `${agent_code} ${state ?? 'unknown'}`);

describe('colleagues', () => {
  it('of a large company are listed by how soon they can take a call, the longest idle first, whatever their names', async () => {
    const { find } = companyOf(10_000, (ids) => {
      const at = (place: number, sinceMs: number) => signedIn(noon - sinceMs, companyId, ids[place]);
      const ready = (place: number, sinceMs: number) => after(at(place, sinceMs), noon - sinceMs, ask('ready'));
      const away: Presence = { ...ready(9_000, 90_000), connection: 'reconnecting' };
      const onCall = after(ready(50, 80_000), noon - 5_000, { type: 'claim', ...newClaim() });
      return [at(1, 10_000), ready(7_000, 20_000), onCall, away, ready(9_999, 60_000)];
    });
    expect(named(await find({ limit: 7 }))).toEqual([
      'p09999 ready',
      'p07000 ready',
      'p09000 ready',
      'p00050 reserved',
      'p00001 not_ready',
      'p00000 offline',
      'p00002 offline',
    ]);
    expect((await find({ limit: 1 }))[0]).toMatchObject({
      since: new Date(noon - 60_000).toISOString(),
      extension: null,
    });
    expect(named(await find({ limit: 2, state: 'offline' }))).toEqual(['p00000 offline', 'p00002 offline']);
    expect(named(await find({ q: 'person 0700', limit: 2 }))).toEqual(['p07000 ready', 'p00700 offline']);
    expect(named(await find({ q: '9999 p0', state: 'ready' }))).toEqual(['p09999 ready']);
  });

  it('of one team are those who are in it, and of a team that the company has not there are none', async () => {
    const { find, reads } = companyOf(5);
    expect(named(await find({ team_code: 'Sales' }))).toEqual(['p00002 offline', 'p00003 offline']);
    await find({ team_code: ' sales ' });
    expect(reads.teams).toBe(1);
    expect(await find({ team_code: 'support' })).toBe('unknown_team');
  });

  it('are read once for all who look at the same time, and again two seconds later', async () => {
    const { clock, find, ids, reads, there } = companyOf(10);
    await Promise.all(Array.from({ length: 50 }, () => find()));
    expect(reads).toMatchObject({ people: 1, presences: 1 });
    there.now = [signedIn(noon, companyId, ids[3])];
    expect(named(await find({ limit: 1 }))).toEqual(['p00000 offline']);
    await clock.advance(2_001);
    expect(named(await find({ limit: 1 }))).toEqual(['p00003 not_ready']);
    expect(reads).toMatchObject({ people: 1, presences: 2 });
  });

  it('are known by their new names as soon as the company is forgotten', async () => {
    const { colleagues, find, people } = companyOf(3);
    await find();
    people[2] = { ...people[2]!, name: 'Grace Hopper' };
    expect(await find({ q: 'grace' })).toEqual([]);
    colleagues.forget(companyId);
    expect(named(await find({ q: 'grace' }))).toEqual(['p00002 offline']);
  });

  it('are told to who has asked, though the company is forgotten meanwhile', async () => {
    const { colleagues, find } = companyOf(3);
    const asked = find({ limit: 1 });
    colleagues.forget(companyId);
    expect(named(await asked)).toEqual(['p00000 offline']);
  });

  it('can be called where the PBX knows them, and nowhere where the company telephones without a softphone', async () => {
    const { clock, find, telephony } = companyOf(2);
    const extensions = async () => ((await find()) as ColleagueView[]).map(({ extension }) => extension);
    expect(await extensions()).toEqual(['200', null]);
    telephony.mode = 'desk_phone';
    await clock.advance(10_001);
    expect(await extensions()).toEqual([null, null]);
  });

  it('are found by name without their states while the presence store cannot be reached', async () => {
    const { find, there } = companyOf(3);
    there.isReachable = false;
    expect(named(await find())).toEqual(['p00000 unknown', 'p00001 unknown', 'p00002 unknown']);
    expect(await find({ state: 'ready' })).toEqual([]);
  });
});
