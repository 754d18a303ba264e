import { percentile } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import { fillContacts, nameOf, numberOf, organisationOf } from '../room/contacts.ts';
import { startGateway } from '../room/restStacks.ts';
import { searchGoal, type BenchCase } from './case.ts';

/** What agents type, letter by letter, each a request. */
type Typed = Record<string, string[]>;

/** Searching the contacts of one large company among small ones as somebody types: every beginning of 200 queries. */
export const searchCase: BenchCase = {
  name: 'search',
  async run(room, plan) {
    const company = await room.company({ customers: 0, agents: 1 });
    const filling = performance.now();
    await fillContacts(room.pool, company, plan.contacts);
    const fillSeconds = (performance.now() - filling) / 1_000;
    for (let n = 0; n < plan.smallCompanies; n += 1)
      await fillContacts(room.pool, await room.company({ customers: 0, agents: 1 }), 20);
    await room.pool.query(
      'ANALYZE contact, contact_search, contact_phone, contact_email, organisation, organisation_search',
    );
    const gateway = await startGateway(room, company);
    const authorization = `Bearer ${company.agents[0]?.token ?? ''}`;
    const typed = whatIsTyped(plan.contacts, plan.searches);
    const latencies = Object.fromEntries(Object.keys(typed).map((kind) => [kind, [] as number[][]]));
    for (let repetition = -1; repetition < plan.repetitions; repetition += 1) {
      for (const [kind, queries] of Object.entries(typed)) {
        const measured: number[] = [];
        for (const query of queries) {
          for (let end = 1; end <= query.length; end += 1) {
            const begun = performance.now();
            const answer = await fetch(`${gateway.url}/api/crm/search?q=${encodeURIComponent(query.slice(0, end))}`, {
              headers: { authorization },
            });
            const { contacts } = (await answer.json()) as { contacts: unknown[] };
            measured.push(performance.now() - begun);
            if (end === query.length && contacts.length === 0) throw new Error(`nobody was found by ${query}`);
          }
        }
        // The first round warms up.
        if (repetition >= 0) latencies[kind]?.push(measured);
      }
    }
    const all = Array.from({ length: plan.repetitions }, (_, n) =>
      Object.values(latencies).flatMap((runs) => runs[n] ?? []),
    );
    return [
      ...Object.entries({ 'all of them': all, ...latencies }).flatMap(([kind, runs]) => rowsOf(kind, runs)),
      {
        what: `filling the company with ${plan.contacts.toLocaleString('en')} contacts`,
        unit: 's',
        readyline: [fillSeconds],
        bare: null,
        goal: null,
      },
    ];
  },
};

function rowsOf(kind: string, runs: number[][]): Row[] {
  return [50, 99].map((percent) => ({
    what: `${kind}, p${percent}`,
    unit: 'ms',
    readyline: runs.map((run) => percentile(run, percent)),
    bare: null,
    goal: kind === 'all of them' && percent === 99 ? searchGoal : null,
  }));
}

function whatIsTyped(contacts: number, searches: number): Typed {
  const each = Math.max(1, Math.floor(searches / 6));
  const some = (make: (index: number) => string) => Array.from({ length: each }, (_, n) => make((n * 997) % contacts));
  return {
    names: some(nameOf),
    'last names': some((index) => nameOf(index).split(' ')[1] ?? ''),
    'names with a letter wrong': some((index) => misspelled(nameOf(index))),
    'numbers from their beginning': some((index) => numberOf(index).replace('+49', '0049 ')),
    'last seven digits': some((index) => numberOf(index).slice(-7)),
    organisations: some((index) => organisationOf(index % Math.max(1, Math.min(2_000, Math.floor(contacts / 50))))),
  };
}

/** The last two letters but one changed over. */
function misspelled(name: string): string {
  const at = name.length - 3;
  return name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2);
}
