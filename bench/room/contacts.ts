import type pg from 'pg';
import type { BenchCompany } from './company.ts';

const firstNames = (
  'Anna Ben Clara David Elif Fatima Georg Hannah Ivan Jörg Karim Léa María Nils Olga Paul Quentin Rosa Søren ' +
  'Tülay Uwe Vera Wei Xenia Yara Zoë Łukasz Grace Ada Ming'
).split(' ');
const beginnings = (
  'Müll Schmi Hopp Berg Klein Wolf Becker Land Stein Rich Ander Peter Johan Kovač Novák García Fern Rossi ' +
  'Bianch ' +
  'Dubo Laurent Nguy Tanak Okafo Silv Kowal Iwan Lind Holm Brand'
).split(' ');
const endings = (
  'er dt ner mann sen ski son ova ez elli is en ato or a ström feld hoff bach thal meier haus brook ford ley ' +
  'wood stone field man ton'
).split(' ');
const trades =
  'Bau Metall Software Logistik Energie Papier Textil Medien Foods Marine Optik Chemie Druck Reisen Garten'.split(' ');

/** One of a list that a number stands for. */
const of = (list: readonly string[], n: number) => list[n % list.length] ?? '';

/** Name of a contact, from 0; 27,000 different ones. */
export function nameOf(index: number): string {
  const familyName = of(beginnings, Math.floor(index / 3)) + of(endings, index * 11 + Math.floor(index / 900));
  return `${of(firstNames, index * 7)} ${familyName}`;
}

/** Name of an organisation, from 0. */
export function organisationOf(index: number): string {
  return `${of(beginnings, index)}${of(endings, Math.floor(index / 30))} ${of(trades, index * 7)} GmbH`;
}

/** Number of a contact, in Berlin. */
export const numberOf = (index: number): string => `+4930${10_000_000 + ((index * 7_919) % 89_999_999)}`;

const chunk = 5_000;

/**
 * Contacts with a number each, an address for every second and one of 2,000 organisations for every third;
 * written straight into the database.
 */
export async function fillContacts(pool: pg.Pool, { id }: Pick<BenchCompany, 'id'>, contacts: number): Promise<void> {
  const organisations = Math.max(1, Math.min(2_000, Math.floor(contacts / 50)));
  const names = Array.from({ length: organisations }, (_, n) => organisationOf(n));
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO organisation (company_id, id, name, created_at, updated_at)
      SELECT $1, gen_random_uuid(), name, now(), now() FROM unnest($2::text[]) name RETURNING id`,
    [id, names],
  );
  const ids = rows.map((row) => row.id);
  for (let from = 0; from < contacts; from += chunk) {
    const indexes = Array.from({ length: Math.min(chunk, contacts - from) }, (_, n) => from + n);
    await pool.query(
      `WITH given AS (
        SELECT gen_random_uuid() AS id, *
        FROM unnest($2::text[], $3::uuid[], $4::text[], $5::text[]) g (name, organisation_id, phone, email)
      ), made AS (
        INSERT INTO contact (company_id, id, name, organisation_id, created_at, updated_at)
        SELECT $1, id, name, organisation_id, now(), now() FROM given
      ), phones AS (
        INSERT INTO contact_phone (company_id, phone, contact_id, position) SELECT $1, phone, id, 1 FROM given
      )
      INSERT INTO contact_email (company_id, contact_id, email, position) SELECT $1, id, email, 1 FROM given
      WHERE email IS NOT NULL`,
      [
        id,
        indexes.map(nameOf),
        indexes.map((n) => (n % 3 === 0 ? ids[n % ids.length] : null)),
        indexes.map(numberOf),
        indexes.map((n) =>
          n % 2 === 0
            ? `${nameOf(n)
                .normalize('NFKD')
                .replace(/[^a-zA-Z]+/g, '.')
                .toLowerCase()}${n}@example.com`
            : null,
        ),
      ],
    );
  }
}
