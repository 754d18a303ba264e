import { LRUCache } from 'lru-cache';
import { compareAvailability } from '../../domain/availability.ts';
import { type AgentCard, foldName } from '../../domain/company.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { Presence } from '../../domain/presence.ts';
import { foldText } from '../../domain/searchText.ts';
import type { Colleague, Colleagues } from '../../ports/colleagues.ts';
import type { Services } from '../services.ts';
import { extensionsOf } from '../telephony/extensions.ts';

/**
 * What people are doing is read again after this, for all who ask: a list of it is looked at,
 * not decided by. Milliseconds.
 */
const statesLastMs = 2_000;
/** Names, accounts at the PBX and teams. Changes of this company's agents are known at once. Milliseconds. */
const peopleLastMs = 10_000;
/** Over all companies: some 60 MB. */
const peopleAtMost = 200_000;
const teamsAtMost = 5_000;

type Named = Omit<Colleague, 'state' | 'since'>;

interface ColleagueDirectory extends Colleagues {
  /** Reads the people of the company anew. */
  forget(companyId: CompanyId): void;
}

type Needs = Pick<Services, 'agents' | 'clock' | 'demoCarrier' | 'presence' | 'teams' | 'telephony'>;

/** Reads everybody of a company once for all who look at the same time: thousands look every few seconds. */
export function createColleagueDirectory(needs: Needs): ColleagueDirectory {
  const { agents, clock, presence, teams } = needs;
  const timed = {
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    // Who has asked is answered, though the entry is dropped or crowded out meanwhile.
    ignoreFetchAbort: true,
  };
  const shared = {
    ...timed,
    maxSize: peopleAtMost,
    sizeCalculation: (people: readonly unknown[]) => people.length + 1,
  };
  const named = new LRUCache<CompanyId, Named[]>({
    ...shared,
    ttl: peopleLastMs,
    fetchMethod: async (companyId, before) => {
      const [people, extensions] = await Promise.all([agents.people(companyId), extensionsOf(needs, companyId)]);
      return withTexts(people, before ?? []).map((person) => ({
        ...person,
        extension: extensions.get(person.id) ?? null,
      }));
    },
  });
  const ordered = new LRUCache<CompanyId, Colleague[]>({ ...shared, ttl: statesLastMs, fetchMethod: read });
  const members = new LRUCache<string, { ids: ReadonlySet<AgentId> | null }, { companyId: CompanyId; code: string }>({
    ...timed,
    max: teamsAtMost,
    ttl: peopleLastMs,
    fetchMethod: async (_key, _before, { context: { companyId, code } }) => {
      const team = await teams.membersOf(companyId, code);
      return { ids: team === null ? null : new Set(team.agentIds) };
    },
  });

  async function read(companyId: CompanyId): Promise<Colleague[]> {
    const [people, present] = await Promise.all([
      named.forceFetch(companyId),
      presence.list(companyId).catch(() => null),
    ]);
    return present === null
      ? people.map((person) => ({ ...person, state: null, since: null }))
      : inOrder(people, present);
  }

  return {
    people: (companyId) => ordered.forceFetch(companyId),
    async team(companyId, code) {
      return (await members.forceFetch(`${companyId} ${foldName(code)}`, { context: { companyId, code } })).ids;
    },
    forget(companyId) {
      named.delete(companyId);
      ordered.delete(companyId);
    },
  };
}

/** Those who are there by how soon they can take a call, then the others by name. */
function inOrder(people: readonly Named[], present: readonly Presence[]): Colleague[] {
  const absent = new Map(people.map((person) => [person.id, person]));
  const there = present.toSorted(compareAvailability).flatMap(({ agentId, since, state }): Colleague[] => {
    const person = absent.get(agentId);
    absent.delete(agentId);
    return person === undefined ? [] : [{ ...person, state, since: new Date(since) }];
  });
  return [
    ...there,
    ...Array.from(absent.values(), (person): Colleague => ({ ...person, state: 'offline', since: null })),
  ];
}

/** Folds only what has changed: 10,000 names take a while. */
function withTexts(people: readonly AgentCard[], before: readonly Named[]): (AgentCard & Pick<Named, 'text'>)[] {
  const known = new Map(before.map((person) => [person.id, person]));
  return people.map((person) => {
    const same = known.get(person.id);
    const isSame = same?.name === person.name && same.agentCode === person.agentCode;
    return { ...person, text: isSame ? same.text : foldText(`${person.name} ${person.agentCode}`) };
  });
}
