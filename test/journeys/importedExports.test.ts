import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportView } from '../../src/contract/imports.ts';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

/** What comes of a file (`test/support/exports/README.md`). */
type Expected = {
  country: string;
  contacts: number;
  told?: string[];
  people: ({ name: string; phones: string[]; emails: string[] } & Record<string, unknown>)[];
  never: string[];
};
type Contact = {
  name: string | null;
  phones: { phone_number: string; label: string | null }[];
  emails: { email: string }[];
  organisation: { name: string } | null;
} & Record<string, unknown>;

/** Owners are people of the other program; a row may be of the customer of an earlier one. */
const ofOthers = new Set(['not_of_company', 'duplicate_of_row', 'same_as_row']);
const folder = new URL('../support/exports/', import.meta.url);
const files = readdirSync(folder).flatMap((name) => (name.endsWith('.csv') ? [name.slice(0, -4)] : []));

describe('an export of another program, imported as it is', () => {
  let gateway: Gateway;
  let company: TestCompany;
  const { admin, contacts, rows, run, upload } = importRoom(
    () => gateway,
    () => company,
  );

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  afterAll(() => gateway.close());

  /** Into a fresh company, without a touch of what its columns are taken for. */
  async function imported(name: string, country: string | null) {
    company = await gateway.company({ slug: `${name}-${country === null ? 'anywhere' : 'home'}`, agents: 1 });
    if (country !== null) await admin().put('/api/integrations').send({ default_country: country }).expect(200);
    const { body } = await upload(readFileSync(new URL(`${name}.csv`, folder))).expect(201);
    const one = await run(body.id);
    const refused = (await rows(one.id)).flatMap(
      ({ reason, remarks }: { reason: object | null; remarks: object[] }) => [
        ...(reason === null ? [] : [reason]),
        ...remarks,
      ],
    );
    return { one, refused, list: (await contacts()) as Contact[] };
  }
  const phoneHeaders = ({ columns, mapping }: ImportView) =>
    mapping.flatMap(({ column, field }) => (field === 'phone' ? [columns[column] ?? ''] : []));
  const phonesOf = ({ phones }: Contact) =>
    phones.map(({ phone_number, label }) => (label === null ? phone_number : `${phone_number} ${label}`));
  const told = (contact: Contact, like: Expected['people'][number]) =>
    Object.fromEntries(
      Object.keys(like).map((key) => {
        if (key === 'phones') return [key, phonesOf(contact)];
        if (key === 'emails') return [key, contact.emails.map(({ email }) => email)];
        return [key, key === 'organisation' ? (contact.organisation?.name ?? null) : contact[key]];
      }),
    );

  it.each(files)('%s', async (name) => {
    const {
      country,
      contacts: count,
      told: expected = [],
      people,
      never,
    } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Expected;
    const { one, refused, list } = await imported(name, country);
    expect((refused as { code: string }[]).map(({ code }) => code).filter((code) => !ofOthers.has(code))).toEqual(
      expected,
    );
    expect(list).toHaveLength(count);
    expect(people.map((each) => told(list.find((contact) => contact.name === each.name) ?? list[0]!, each))).toEqual(
      people,
    );
    expect(phoneHeaders(one).filter((header) => never.includes(header))).toEqual([]);
    expect(list.map(({ owner }) => owner)).toEqual(list.map(() => null));

    const anywhere = await imported(name, null);
    expect(phoneHeaders(anywhere.one).filter((header) => never.includes(header))).toEqual([]);
    // Numbers of a country that is not known are left out, and no others are made of them.
    const right = new Set(list.flatMap(({ phones }) => phones.map(({ phone_number }) => phone_number)));
    expect(
      anywhere.list
        .flatMap(({ phones }) => phones.map(({ phone_number }) => phone_number))
        .filter((phone) => !right.has(phone)),
    ).toEqual([]);
    expect(anywhere.list.map((contact) => contact.name)).toEqual(
      list.map((contact) => contact.name).filter((each) => anywhere.list.some((contact) => contact.name === each)),
    );
  });
});
