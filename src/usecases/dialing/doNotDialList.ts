import type { AddDoNotDialRequest, DoNotDialEntry as EntryView, ListDoNotDialQuery } from '../../contract/doNotDial.ts';
import type { Principal } from '../../domain/access.ts';
import { patternsOf, readPattern } from '../../domain/doNotDial.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { searchedNumbers } from '../../domain/phones/searchedNumbers.ts';
import type { DoNotDialEntry, DoNotDialFilter } from '../../ports/dialing.ts';
import type { Services } from '../services.ts';

/** How many numbers a list can have: what a country's largest lists are, split by region. */
export const maxListed = 1_000_000;

type Needs = Pick<Services, 'agentCards' | 'doNotDial' | 'companyOf'>;

/**
 * Puts a number, or how numbers begin, on the company's list; one that is there already stays.
 * From the next dial on it counts.
 */
export async function addDoNotDial(
  services: Needs & Pick<Services, 'clock' | 'forget' | 'newId'>,
  principal: Principal,
  { number, note }: AddDoNotDialRequest,
): Promise<Outcome<EntryView>> {
  const { companyId } = principal;
  const company = await services.companyOf(companyId);
  const read = readPattern(number, company);
  if (read.kind === 'invalid')
    return refuse('invalid_phone', read.detail, { errors: [{ path: 'number', message: read.detail, ...read.cause }] });
  if ((await services.doNotDial.count(companyId, maxListed)) >= maxListed) return tooManyNumbers;
  const entry: DoNotDialEntry = {
    id: services.newId(),
    pattern: read.pattern,
    note: note ?? null,
    addedBy: addedBy(principal),
    createdAt: new Date(services.clock.now()),
  };
  const added = await services.doNotDial.add(companyId, entry);
  // The first one: every gateway looks at the list from now on.
  if (!company.hasDoNotDial) services.forget(companyId);
  const [view] = await entryViews(services, companyId, [added]);
  if (view === undefined) throw new Error('an entry has its view');
  return ok(view);
}

export const tooManyNumbers: Refused = refuse('conflict', `The list can have ${String(maxListed)} numbers at most.`, {
  cause: { code: 'too_many_numbers', params: { max: maxListed } },
});

/** Who puts numbers on the list; null: the company's own system, by its key. */
export function addedBy(principal: Principal): AgentId | null {
  return principal.kind === 'agent' ? principal.agentId : null;
}

/**
 * The company's list in the order of its numbers, a page at a time;
 * of digits that were typed, what begins so and what covers it.
 */
export async function listDoNotDial(
  services: Needs,
  companyId: CompanyId,
  { q, cursor, limit }: ListDoNotDialQuery,
): Promise<Outcome<{ entries: EntryView[]; next_cursor: string | null }>> {
  const filter =
    q === undefined || q.trim() === '' ? null : filterOf(q, (await services.companyOf(companyId)).defaultCountry);
  const page = await services.doNotDial.list(companyId, filter, { cursor: cursor ?? null, limit });
  if (page === null) {
    return refuse('invalid_request', 'The cursor is none of this list.', {
      errors: [{ path: 'cursor', message: 'is none of this list', code: 'invalid' }],
    });
  }
  return ok({ entries: await entryViews(services, companyId, page.items), next_cursor: page.nextCursor });
}

/** What is no number finds nothing. */
function filterOf(typed: string, defaultCountry: string | null): DoNotDialFilter {
  const beginnings = searchedNumbers(typed.replace(/\*\s*$/, ''), defaultCountry)?.prefixes ?? [];
  return { beginnings, patterns: beginnings.flatMap(patternsOf) };
}

/** Takes an entry off the list. */
export async function removeDoNotDial({ doNotDial }: Needs, companyId: CompanyId, id: string): Promise<Outcome<null>> {
  return (await doNotDial.remove(companyId, id)) ? ok(null) : refuse('not_found', 'The list has no such entry.');
}

/** Entries as the interface shows them. */
async function entryViews(
  { agentCards }: Needs,
  companyId: CompanyId,
  entries: readonly DoNotDialEntry[],
): Promise<EntryView[]> {
  const cards = await agentCards(companyId, [...new Set(entries.flatMap((entry) => entry.addedBy ?? []))]);
  return entries.map(({ id, pattern, note, addedBy: by, createdAt }) => {
    const card = by === null ? undefined : cards.get(by);
    return {
      id,
      number: pattern,
      note,
      added_by: card === undefined ? null : { id: card.id, name: card.name },
      created_at: createdAt.toISOString(),
    };
  });
}
