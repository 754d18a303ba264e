import type { ColumnMapping } from '../../contract/imports.ts';
import type { ContactField } from '../../domain/contacts.ts';

/** Words of headers in English, German, Spanish and French, folded, by the field that they mean. The longest that fits decides. */
const words: Record<string, readonly string[]> = {
  id: ['id', 'contact id', 'record id'],
  external_id: ['external id', 'externe id', 'crm id', 'customer number', 'customer no', 'customer id', 'kundennummer', 'kundennr', 'kunden nr', 'numero de cliente', 'id de cliente', 'id externo', 'numero client', 'id client', 'id externe'],
  name: ['name', 'full name', 'contact', 'contact name', 'vollstandiger name', 'ansprechpartner', 'kontakt', 'nombre completo', 'contacto', 'nom complet'],
  first_name: ['first name', 'firstname', 'given name', 'forename', 'vorname', 'nombre', 'nombre de pila', 'prenom'],
  last_name: ['last name', 'lastname', 'surname', 'family name', 'nachname', 'familienname', 'apellido', 'apellidos', 'nom', 'nom de famille'],
  phone: ['phone', 'phone number', 'telephone', 'tel', 'mobile', 'mobile phone', 'cell', 'cell phone', 'work phone', 'business phone', 'home phone', 'number', 'fax',
    'telefon', 'telefonnummer', 'rufnummer', 'handy', 'handynummer', 'mobil', 'mobilnummer', 'mobiltelefon', 'telefon geschaftlich', 'telefon privat', 'festnetz', 'nummer',
    'telefono', 'telefono movil', 'movil', 'celular', 'numero', 'numero de telefono', 'telefono fijo', 'portable', 'numero de telephone', 'telephone portable', 'telephone fixe'],
  phone_label: ['phone label', 'phone type', 'telefontyp', 'tipo de telefono', 'type de telephone'],
  email: ['email', 'e mail', 'mail', 'email address', 'e mail address', 'e mail adresse', 'emailadresse', 'correo', 'correo electronico', 'courriel', 'adresse e mail', 'adresse mail'],
  email_label: ['email label', 'email type', 'e mail label', 'e mail type'],
  organisation: ['organisation', 'organization', 'company', 'company name', 'account', 'account name', 'employer', 'firma', 'unternehmen', 'betrieb', 'empresa', 'compania', 'organizacion', 'societe', 'entreprise'],
  owner: ['owner', 'agent', 'agent code', 'owner code', 'betreuer', 'zustandig', 'bearbeiter', 'agente', 'propietario', 'responsable', 'proprietaire'],
  tags: ['tags', 'tag', 'labels', 'categories', 'category', 'schlagworte', 'schlagworter', 'stichworte', 'stichworter', 'kategorien', 'kategorie', 'etiquetas', 'categorias', 'etiquettes', 'categories'],
  tier: ['tier', 'vip', 'vip tier', 'level', 'stufe', 'status', 'nivel', 'niveau'],
  language: ['language', 'sprache', 'idioma', 'lengua', 'langue'],
  time_zone: ['time zone', 'timezone', 'zeitzone', 'zona horaria', 'fuseau horaire'],
  notes: ['notes', 'note', 'comment', 'comments', 'remarks', 'notizen', 'notiz', 'bemerkung', 'bemerkungen', 'kommentar', 'notas', 'nota', 'comentario', 'comentarios', 'commentaire', 'commentaires', 'remarques'],
  do_not_call: ['do not call', 'donotcall', 'dnc', 'opt out', 'nicht anrufen', 'werbesperre', 'anrufsperre', 'no llamar', 'ne pas appeler'],
};

/** Labels that a header of a phone number tells. */
const labels: [RegExp, string][] = [
  [/mobil|handy|cell|movil|celular|portable/, 'mobile'],
  [/work|business|geschaft|office|trabajo|oficina|travail|bureau|dienst/, 'work'],
  [/home|privat|casa|domicile|fixe|festnetz|fijo/, 'home'],
  [/fax/, 'fax'],
];

const several = new Set(['phone', 'phone_label', 'email', 'email_label', 'tags', 'notes']);

/** What the columns of a file probably are, by their headers and, where there are none, by what stands in them. */
export function suggestMapping(headers: readonly string[], samples: readonly string[][], fields: readonly ContactField[]): ColumnMapping[] {
  const taken = new Set<string>();
  const own = ownHeaders(fields);
  return headers.flatMap((header, column) => {
    const folded = foldHeader(header);
    const field = fieldOf(folded, own) ?? fieldOfCells(samples.map((cells) => cells[column] ?? ''));
    if (field === null || (taken.has(field) && !several.has(field))) return [];
    taken.add(field);
    const label = field === 'phone' ? labels.find(([sign]) => sign.test(folded))?.[1] : undefined;
    return [{ column, field, mode: 'fill' as const, ...(label === undefined ? {} : { label }) }];
  });
}

/** `E-Mail (geschäftlich)` → `e mail geschaftlich`. */
function foldHeader(header: string): string {
  return header.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Under which folded headers the company's own fields stand; the earliest field has each. */
function ownHeaders(fields: readonly ContactField[]): ReadonlyMap<string, string> {
  return new Map(fields.toReversed().flatMap(({ key, label }) => [key, label, `fields.${key}`].map((header) => [foldHeader(header), `fields.${key}`] as const)));
}

/** @param own as `ownHeaders` makes it */
function fieldOf(folded: string, own: ReadonlyMap<string, string>): string | null {
  const known = own.get(folded);
  if (known !== undefined) return known;
  // `phone 2` is a phone.
  const bare = folded.replace(/ ?\d+(?= |$)/g, '').trim();
  const exact = Object.entries(words).find(([, list]) => list.includes(bare));
  if (exact !== undefined) return exact[0];
  const [longest] = Object.entries(words)
    .flatMap(([field, list]) => list.filter((word) => word.length > 3 && ` ${bare} `.includes(` ${word} `)).map((word) => ({ field, word })))
    .toSorted((a, b) => b.word.length - a.word.length);
  return longest === undefined || longest.field === 'id' ? null : longest.field;
}

/** Longer ones are none; and how long a text may be tried for one grows with the square of its length. Characters. */
const longestEmail = 254;
const isEmail = (cell: string) => cell.length <= longestEmail && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);
const phone = /^'?(?:\+|00|\()?[\d\s().\-/]{6,20}$/;

function fieldOfCells(cells: string[]): string | null {
  const given = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (given.length === 0) return null;
  if (given.every(isEmail)) return 'email';
  const isPhone = given.every((cell) => phone.test(cell)) && given.some((cell) => /^'?(?:\+|0)/.test(cell));
  return isPhone ? 'phone' : null;
}

/** Whether the first row of a file tells what its columns are: it holds no number and no address, and a word that is known or other texts below. */
export function hasHeaderRow(first: readonly string[], fields: readonly ContactField[]): boolean {
  if (first.some((cell) => isEmail(cell.trim()) || /\d{5,}/.test(cell.replace(/[\s().\-/]/g, '')))) return false;
  const own = ownHeaders(fields);
  return first.some((cell) => fieldOf(foldHeader(cell), own) !== null);
}
