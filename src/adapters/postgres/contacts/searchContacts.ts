import { partPattern, typoPattern } from '../../../domain/searchText.ts';
import type { Statement } from '../queries.ts';
import { contactColumns, isSeen } from './findContacts.ts';

// Each is planned for the company that it is of: what is right for the many small ones would read the whole of a
// large one. What is found is cut before it is joined and put in order, so that a word of two letters costs no
// more than this many rows.
const atMost = 3_000;
/**
 * SQL: whether a contact is seen. $1 company id, $2 whose contacts are seen beside nobody's; null: all, and no contact
 * is read for that. Asked of one after the other: a join would read all contacts of a large company for some hundred.
 * @param id the contact's id
 */
const isShown = (id: string) =>
  `($2::uuid IS NULL OR EXISTS (SELECT FROM contact c WHERE c.company_id = $1 AND c.id = ${id}
    AND ${isSeen('$2')} OFFSET 0))`;

/** More digits than a number can have, the highest there are: the end of all numbers that begin with a prefix. */
const highestDigits = '999999999999999';

/**
 * $1 company id, $2 whose contacts are seen beside nobody's, or null, $3 beginnings in E.164,
 * $4 last digits from the last to the first or null, $5 how many, $6 beginnings in other countries.
 */
export const searchByNumber: Statement = {
  name: 'search_by_number',
  planEachTime: true,
  text: `SELECT n.contact_id AS id FROM (
    SELECT n.contact_id, n.phone, p.rank FROM (SELECT unnest($3::text[]), 1
      UNION ALL SELECT unnest($6::text[]), 3) p (prefix, rank) CROSS JOIN LATERAL (
      SELECT contact_id, phone FROM contact_phone
      WHERE company_id = $1 AND phone >= p.prefix AND phone <= p.prefix || '${highestDigits}'
      ORDER BY phone LIMIT ${atMost}
    ) n
    UNION ALL
    (SELECT n.contact_id, n.phone, 2 FROM contact_phone n
    WHERE n.company_id = $1 AND reverse(n.phone) COLLATE "C" >= $4 AND reverse(n.phone) COLLATE "C" < $4 || ':'
    ORDER BY reverse(n.phone) COLLATE "C" LIMIT ${atMost})
  ) n WHERE ${isShown('n.contact_id')} GROUP BY n.contact_id ORDER BY min(n.rank), min(n.phone), n.contact_id LIMIT $5`,
};

const begins = 'left(s.text, 64) COLLATE "C"';
/** No more of a text than its index holds. */
export const longestBeginning = 60;

/** $1 company id, $2 whose contacts are seen beside nobody's, or null, $3 how many, $4 pattern of the beginning. */
export const searchByBeginning: Statement = {
  name: 'search_by_beginning',
  planEachTime: true,
  text: `SELECT s.contact_id AS id FROM (
    SELECT s.contact_id, ${begins} AS begins FROM contact_search s
    WHERE s.company_id = $1 AND ${begins} LIKE $4 ORDER BY ${begins}, s.contact_id LIMIT ${atMost}
  ) s WHERE ${isShown('s.contact_id')} ORDER BY s.begins, s.contact_id LIMIT $3`,
};

/** With a part in it that is long enough for its index, or two letters that begin a word. */
export function isSearchable(words: readonly string[]): boolean {
  return words.some(({ length }) => length >= 2);
}

/** Contacts that have each of the words as a part, first those with words that begin so. $1 to $3 as above. */
export function searchByParts(words: readonly string[]): { statement: Statement; values: unknown[] } {
  const conditions = words.map((_, at) => `s.text LIKE $${at + 5}`).join(' AND ');
  return {
    statement: {
      name: `search_by_parts_${words.length}`,
      planEachTime: true,
      text: `SELECT s.contact_id AS id FROM (SELECT s.contact_id, s.text FROM contact_search s
        WHERE s.company_id = $1 AND ${conditions} LIMIT ${atMost}) s
      WHERE ${isShown('s.contact_id')} ORDER BY s.text LIKE ALL ($4::text[]) DESC, ${begins}, s.contact_id LIMIT $3`,
    },
    values: [words.map((word) => `% ${word}%`), ...words.map(partPattern)],
  };
}

/** Of more words, the longest. */
const misspelledAtMost = 3;

/**
 * Contacts that have all of the words but one, and one that differs from that by a letter wrong, missing or too many.
 * $1 to $3 as above. Null: all are too short.
 */
export function searchApproximately(words: readonly string[]): { statement: Statement; values: unknown[] } | null {
  const longest = words
    .filter((word) => typoPattern(word) !== null)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, misspelledAtMost);
  if (longest.length === 0) return null;
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value) + 3}`;
  const arms = longest.map((misspelled) => {
    const others = words
      .filter((word) => word !== misspelled)
      .map((word) => ` AND s.text LIKE ${parameter(partPattern(word))}`);
    return `(SELECT s.contact_id, ${begins} AS begins FROM contact_search s
      WHERE s.company_id = $1${others.join('')} AND s.text ~ ${parameter(typoPattern(misspelled))} LIMIT ${atMost})`;
  });
  return {
    statement: {
      name: `search_approximately_${words.length}`,
      planEachTime: true,
      text: `SELECT s.contact_id AS id FROM (${arms.join(' UNION ALL ')}) s
      WHERE ${isShown('s.contact_id')} GROUP BY s.contact_id, s.begins ORDER BY s.begins, s.contact_id LIMIT $3`,
    },
    values,
  };
}

/**
 * Organisations that have each of the words as a part.
 * $1 company id, $2 pattern of the beginning, $3 how many, $4… the parts.
 */
export function searchOrganisations(words: readonly string[]): { statement: Statement; values: unknown[] } {
  const conditions = words.map((_, at) => `s.text LIKE $${at + 4}`).join(' AND ');
  return {
    statement: {
      name: `search_organisations_${words.length}`,
      planEachTime: true,
      text: `SELECT o.id, o.name FROM (SELECT s.organisation_id, s.text FROM organisation_search s
        WHERE s.company_id = $1 AND ${conditions} LIMIT ${atMost}) s
      JOIN organisation o ON o.company_id = $1 AND o.id = s.organisation_id
      ORDER BY s.text LIKE $2 DESC, ${begins}, o.id LIMIT $3`,
    },
    values: words.map(partPattern),
  };
}

/** $1 company id, $2 how many, $3 pattern of the beginning. */
export const organisationsByBeginning: Statement = {
  name: 'organisations_by_beginning',
  planEachTime: true,
  text: `SELECT o.id, o.name FROM organisation_search s JOIN organisation o ON o.company_id = $1
    AND o.id = s.organisation_id
  WHERE s.company_id = $1 AND ${begins} LIKE $3 ORDER BY ${begins}, s.organisation_id LIMIT $2`,
};

/** $1 company id, $2 contact ids, $3 whose contacts are seen beside nobody's, or null. */
export const contactsByIds: Statement = {
  name: 'contacts_by_ids',
  text: `SELECT ${contactColumns} FROM contact c WHERE c.company_id = $1 AND c.id = ANY ($2::uuid[])
    AND ${isSeen('$3')}`,
};

/** Whether parts of words are found by an index: it is there, and ready. */
export const findPartsIndex: Statement = {
  name: 'find_parts_index',
  text: `SELECT count(*)::int AS ready FROM pg_index
  WHERE indexrelid IN (to_regclass('contact_search_parts_idx'), to_regclass('organisation_search_parts_idx'))
    AND indisvalid`,
};
