import { ownValue } from '../../contract/ownValue.ts';
import { type Contact, type ContactField, primaryOf } from '../../domain/contacts.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import type { Services } from '../services.ts';
import { byteOrderMark } from './rowsToMend.ts';

/** Contacts that are read together; between two pages nothing is held. */
const pageSize = 500;

type Needs = Pick<Services, 'agentCards' | 'contacts' | 'imports'>;

/**
 * All contacts of a company as CSV, a page at a time,
 * with headers that an import understands: bringing the file back changes nothing.
 */
export async function* exportContacts(services: Needs, companyId: CompanyId): AsyncGenerator<string> {
  const [fields, widest] = await Promise.all([services.contacts.fields(companyId), services.imports.widest(companyId)]);
  yield byteOrderMark + csvLine(headersOf(fields, widest));
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof services.contacts.list>> = await services.contacts.list(
      companyId,
      'all',
      {},
      'created',
      { cursor, limit: pageSize },
    );
    if (page === null) throw new Error('the list of contacts did not go on');
    const owners = await services.agentCards(companyId, [
      ...new Set(page.items.flatMap(({ owner }) => owner?.id ?? [])),
    ]);
    yield page.items
      .map((contact) =>
        csvLine(
          cellsOf(
            contact,
            fields,
            widest,
            (contact.owner === null ? undefined : owners.get(contact.owner.id))?.agentCode ?? null,
          ),
        ),
      )
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

type Widest = { phones: number; emails: number };

function headersOf(fields: readonly ContactField[], { phones, emails }: Widest): string[] {
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      index === 0 ? [name, `${name} label`] : [`${name} ${index + 1}`, `${name} ${index + 1} label`],
    ).flat();
  return [
    'id',
    'external id',
    'name',
    ...numbered('phone', phones),
    ...numbered('email', emails),
    'organisation',
    'owner',
    'tags',
    'tier',
    'language',
    'time zone',
    'notes',
    'do not call',
    ...fields.map(({ key }) => `fields.${key}`),
  ];
}

function cellsOf(
  contact: Contact,
  fields: readonly ContactField[],
  { phones, emails }: Widest,
  ownerCode: string | null,
): (string | null)[] {
  return [
    contact.id,
    contact.externalId,
    contact.name,
    ...listCells(
      contact.phones.map((each) => ({ ...each, text: each.phone })),
      phones,
    ),
    ...listCells(
      contact.emails.map((each) => ({ ...each, text: each.email })),
      emails,
    ),
    contact.organisation?.name ?? null,
    ownerCode,
    tagsCell(contact.tags),
    contact.tier,
    contact.language,
    contact.timeZone,
    contact.notes,
    contact.doNotCall ? 'yes' : null,
    ...fields.map(({ key }) => ownValue(contact.fields, key)?.toString() ?? null),
  ];
}

/** The primary one first; those that came while the file was being written share the last cell. */
function listCells(
  list: readonly { text: string; label: string | null; isPrimary: boolean }[],
  width: number,
): (string | null)[] {
  const first = primaryOf(list);
  const ordered = first === null ? [] : [first, ...list.filter((each) => each !== first)];
  return Array.from({ length: width }, (_, index) => {
    const here = index === width - 1 ? ordered.slice(index) : ordered.slice(index, index + 1);
    return [here.map(({ text }) => text).join(';') || null, here.length === 1 ? (here[0]?.label ?? null) : null];
  }).flat();
}

/**
 * Apart by commas where none of them has one, else by semicolons, which then end it too, so that an import sees which.
 */
function tagsCell(tags: readonly string[]): string {
  if (tags.every((tag) => !/[,;|]/.test(tag))) return tags.join(', ');
  const separator = tags.some((tag) => tag.includes(';')) ? '|' : ';';
  return tags.map((tag) => tag + separator).join('');
}
