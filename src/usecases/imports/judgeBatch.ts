import { type CellReader, cellReader, type Import, type JudgedRow, type RawRow } from '../../domain/imports.ts';
import { type AgentId, toId, type OrganisationId } from '../../domain/ids.ts';
import { foldName } from '../../domain/company.ts';
import { inSlices } from '../concurrency/slices.ts';
import { erasedAmong } from '../contacts/erasedNumbers.ts';
import type { RowBatch } from '../../ports/imports.ts';
import type { Services } from '../services.ts';
import type { ReadingPlan } from './readingPlan.ts';
import { readRow, type ReadRow } from './readRow.ts';
import { judgeByKept } from './judgeByKept.ts';
import type { KeptCustomers } from './keptCustomers.ts';
import { addedTo, nameOf, reachedByRow } from './rowKeys.ts';

export type JudgeNeeds = Pick<Services, 'agents' | 'contacts' | 'hashErased' | 'imports' | 'newId' | 'companyOf'>;

/**
 * `organisations`, `hashes`: those to be made, and of what contacts are to be known by from now on, as it is kept of
 * erased people; of a check, none. `customers`: what was asked for of those of earlier batches.
 */
export type JudgedBatch = {
  rows: JudgedRow[];
  organisations: { id: OrganisationId; name: string }[];
  customers: KeptCustomers;
} & Pick<RowBatch, 'hashes' | 'judgedBy'>;

export type ReadRows = { raw: RawRow; read: ReadRow }[];

/** Reads rows as they are kept. What it comes to depends on nothing but them. */
export async function readBatch(one: Import, plan: ReadingPlan, raw: readonly RawRow[]): Promise<ReadRows> {
  const [rows, cellsOf]: [ReadRows, CellReader] = [[], cellReader(one)];
  for await (const each of inSlices(raw)) rows.push({ raw: each, read: readRow(plan, cellsOf(each.cells)) });
  return rows;
}

/**
 * Decides what becomes of rows, by what the company has now and by what earlier rows of the same pass came to.
 * Of the first of them, as a rule of all.
 */
export async function judgeBatch(services: JudgeNeeds, one: Import, rows: ReadRows): Promise<JudgedBatch> {
  const { companyId, id, pass } = one;
  const hashErased = hashedOnce(services);
  const from = services.newId();
  const drafts = rows.flatMap(({ read }) => (read.kind === 'read' ? [read.draft] : []));
  const keys = {
    ids: drafts.flatMap((draft) => draft.id ?? []),
    externalIds: drafts.flatMap(({ externalId }) => externalId ?? []),
    phones: drafts.flatMap((draft) =>
      draft.phones.map(({ phone }) => ({ phone: phone as string, name: nameOf(draft) })),
    ),
    emails: drafts.flatMap(({ emails }) => emails.map(({ email }) => email)),
  };
  const [contacts, owners, found, erased] = await Promise.all([
    services.imports.known(companyId, keys),
    findOwners(services, one, rows),
    services.imports.organisationsNamed(companyId, [
      ...new Set(drafts.flatMap(({ organisation }) => organisation ?? [])),
    ]),
    erasedAmong({ ...services, hashErased }, companyId, [...new Set(drafts.flatMap(reachedByRow))]),
  ]);
  const organisations = new Map(found.map((each) => [each.name.toLowerCase(), each]));
  const newOrganisations: JudgedBatch['organisations'] = [];
  const known = {
    contacts,
    organisation(name: string) {
      const one = organisations.get(name.toLowerCase());
      if (one !== undefined) return one;
      const fresh = { id: toId<OrganisationId>(services.newId()), name };
      organisations.set(name.toLowerCase(), fresh);
      newOrganisations.push(fresh);
      return fresh;
    },
    owner: (code: string) => owners.get(code) ?? null,
    isErased: (key: string) => erased.has(key),
    newId: services.newId,
  };
  const writes = one.state === 'running';
  const { rows: judged, customers } = await judgeByKept(rows, known, {
    customers: (asked) => services.imports.customers(companyId, id, pass, asked),
    reached: writes ? (asked) => services.imports.reached(companyId, id, asked) : null,
  });
  const added = writes ? judged.flatMap(({ before, after }) => (after === null ? [] : addedTo(before, after))) : [];
  const named = new Set(judged.map(({ after }) => after?.organisation?.id));
  return {
    rows: judged,
    customers,
    organisations: writes ? newOrganisations.filter(({ id }) => named.has(id)) : [],
    hashes: added.map((key) => hashErased(companyId, key)),
    judgedBy: { contacts: contacts.map((contact) => contact.id), from },
  };
}

/** Whether a batch that was judged while the one before it was being written may come to something else by now. */
export function isOvertaken({ customers, organisations }: JudgedBatch, before: JudgedBatch): boolean {
  const made = new Set(before.organisations.map(({ name }) => name.toLowerCase()));
  return customers.areChangedBy(before.rows) || organisations.some(({ name }) => made.has(name.toLowerCase()));
}

/** A batch asks of most of its keys twice: before its rows are judged, and of what they write. */
function hashedOnce({ hashErased }: JudgeNeeds): JudgeNeeds['hashErased'] {
  const known = new Map<string, string>();
  return (companyId, key) => {
    const hash = known.get(key) ?? hashErased(companyId, key);
    known.set(key, hash);
    return hash;
  };
}

async function findOwners(
  { agents }: JudgeNeeds,
  { companyId }: Import,
  rows: readonly { read: ReadRow }[],
): Promise<Map<string, { id: AgentId; name: string }>> {
  const codes = new Set(rows.flatMap(({ read }) => (read.kind === 'read' ? (read.draft.owner ?? []) : [])));
  const owners = new Map<string, { id: AgentId; name: string }>();
  if (codes.size === 0) return owners;
  const people = await agents.people(companyId);
  for (const written of codes) {
    const agent = await agents.findByCode(companyId, written);
    // Other programs know people by their names.
    const named = people.filter(({ name }) => foldName(name) === foldName(written));
    const owner = agent ?? (named.length === 1 ? named[0] : undefined);
    if (owner !== undefined) owners.set(written, { id: owner.id, name: owner.name });
  }
  return owners;
}
