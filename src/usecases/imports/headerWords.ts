import type { ContactField } from '../../domain/contacts.ts';

/**
 * What the headers of columns mean: those of the exports of Google Contacts, Outlook, Thunderbird and the CRMs,
 * and those that people write, in the languages of the pages and some others.
 */

/** What is longer tells nothing more. Characters. */
const longestHeader = 200;

/** Phrases that a text names between commas. */
function listed(text: string): string[] {
  return text.split(/,\s+/);
}

/** Whole headers, by the field that they mean. */
const phrases: Record<string, readonly string[]> = {
  id: ['id'],
  external_id:
    listed(`external id, unique external id, user id, lead id, record id, record id contact, crm id, number of customer,
    customer number, customer no, customer nr, customer id, client id, externe id, kundennummer, kundennr, kdnr,
    kd nr, debitorennummer, kunden nr, kunden nummer, kunden id, numero de cliente, id de cliente, id externo,
    numero client, numero de client, id client, id externe, do not modify contact, numer klienta, номер клиента,
    顧客番号, 客户编号`),
  name: listed(`name, full name, display name, contact name, contact, contact person, vollstandiger name, anzeigename,
    ansprechpartner, kontakt, nombre completo, contacto, nom complet, nom et prenom, nome completo, naam,
    volledige naam, imie i nazwisko, фио, имя и фамилия, 氏名, 名前, 姓名, ad soyad, ονοματεπωνυμο`),
  // Whoever is called, or where they work: it depends on what else there is.
  customer:
    listed(`customer, customer name, client, client name, kunde, kundenname, cliente, nombre del cliente, klient,
    клиент, 顧客名, 客户`),
  first_name:
    listed(`first, first name, firstname, given name, forename, vorname, nombre, nombre de pila, prenom, nome, voornaam,
    imie, имя, jmeno, keresztnev, ad, ονομα, 名, fornamn`),
  last_name:
    listed(`last, last name, lastname, surname, family name, nachname, familienname, zuname, apellido, apellidos, nom,
    nom de famille, cognome, sobrenome, apelido, achternaam, nazwisko, фамилия, prijmeni, vezeteknev, soyad,
    soyadi, επωνυμο, 姓, efternamn`),
  phone_label: ['phone label', 'phone type', 'telefontyp', 'tipo de telefono', 'type de telephone'],
  email_label: ['email label', 'email type', 'e mail label', 'e mail type'],
  organisation:
    listed(`organisation, organization, organisation name, organization name, company, company name, companies, account,
    account name, associated company, primary associated company, employer, firma, firmenname, unternehmen,
    betrieb, empresa, nombre de la empresa, compania, organizacion, societe, entreprise, azienda, societa,
    bedrijf, компания, организация, spolecnost, ceg, sirket, εταιρεια, 会社名, 公司`),
  owner: listed(`owner, owner name, agent, agent code, owner code, contact owner, record owner, betreuer, zustandig,
    bearbeiter, agente, propietario, responsable, proprietaire`),
  tags: listed(`tags, tag, label, labels, group membership, groups, categories, category, schlagworte, schlagworter,
    stichworte, stichworter, kategorien, kategorie, etiquetas, categorias, etiquettes, categorie`),
  tier: ['tier', 'vip', 'vip tier', 'customer tier', 'level', 'stufe', 'kundenstufe', 'nivel', 'niveau'],
  language: listed(
    `language, preferred language, browser language, locale, sprache, idioma, lengua, langue, lingua, taal, язык`,
  ),
  time_zone: ['time zone', 'timezone', 'zeitzone', 'zona horaria', 'huso horario', 'fuseau horaire'],
  notes: listed(`notes, note, description, details, comment, comments, remark, remarks, notizen, notiz, bemerkung,
    bemerkungen, kommentar, anmerkung, beschreibung, notas, nota, comentario, comentarios, descripcion,
    commentaire, commentaires, remarques, uwagi, примечание, заметки, 備考, 备注`),
  do_not_call:
    listed(`do not call, do not allow phone calls, donotcall, do not phone, dnc, phone opt out, call opt out, opt out,
    nicht anrufen, werbesperre, anrufsperre, telefonsperre, no llamar, ne pas appeler`),
};

/** A header of a number or an address holds one of these words, and else only words that tell which of them it is. */
const kinds: Record<'phone' | 'email', ReadonlySet<string>> = {
  phone: wordSet(
    'phone phones telephone tel telephon telefon telefonnummer telefonnr telnr rufnummer rufnr mobilnr handynr ' +
      'handy handynummer mobil mobilnummer mobiltelefon mobile mobilephone cell cellphone festnetz ' +
      'festnetznummer ' +
      'haupttelefon fax faxnummer telefono tlf' +
      ' movil celular portable telefone telemovel centralita cellulare telefoon mobiel telecopie telefonu telefony ' +
      'komorka телефон мобильный мобил τηλεφωνο κινητο 電話番号 電話 携帯 携帯電話 电话 手机 电话号码 手机号',
  ),
  email: wordSet(
    'email emails mail mails emailadresse mailadresse correo courriel poczta почта メール メールアドレス 邮箱 电子邮件',
  ),
};
const besides = wordSet(
  'e i address adresse electronico electronica direccion elektronische elektroniczna электронная value wert valor ' +
    'number nummer numero nr no num main primary primar primare secondary sekundar sekundare principal secundario' +
    ' secondaire other weitere weiteres andere otro otra autre private privat personal perso particulier ' +
    'particular home work business office company firma organisation organizacion societe contact person ' +
    'kontakt ' +
    'persona personne' +
    ' customer kunde cliente client organizacion geschaftlich dienstlich buro arbeit zuhause trabajo casa oficina ' +
    'empresa fijo domicile bureau travail professionnel personnel fixe car de del du la le les el der die das ' +
    'of ' +
    'the' +
    ' iphone domowy sluzbowy рабочий домашний',
);
/** Headers that hold a number now and then, and something else mostly: what stands in the column has to tell. */
const maybeKinds = wordSet(
  'contact kontakt number nummer numero nr home work business office privat geschaftlich dienstlich casa trabajo ' +
    'bureau domicile',
);
/** Whose number or address it would be is somebody else. */
const others =
  /\bassist(?:ant|ente?|enten)?\b|\basst\b|\basistente\b|\bayudante\b|\bmanager\b|\bspouse\b|\bemergency\b|\bnotfall\b/;

/** Whether a header, which is not known, names an id, a code or a number of something. */
export function namesAnId(header: string): boolean {
  const folded = foldHeader(header);
  return (
    /\b(?:ids?|codes?|ref|referen[cz]e?|account|konto|iban|vat|ust|tax|reading)\b/.test(folded) ||
    /(?:nr|nummer|number|numero|zahl)(?: |$)/.test(folded)
  );
}

/** Labels that a header of a number or an address tells. */
const labels: [RegExp, string][] = [
  [/mobil|handy|cell|movil|celular|portable|iphone|携帯|手机|мобил|κινητο|komorka/, 'mobile'],
  [/fax|telecopie/, 'fax'],
  [/work|business|geschaft|office|trabajo|oficina|travail|bureau|dienst/, 'work'],
  [/compan|firma|organi[sz]a|empresa|societe|professionnel|рабоч|sluzbow/, 'work'],
  [/home|privat|casa|domicile|fixe|festnetz|fijo|particul|perso|домашн|domow/, 'home'],
];

/** `E-Mail (geschäftlich)` and `eMailGeschäftlich` → `e mail geschaftlich`. */
export function foldHeader(header: string): string {
  const spaced = header.slice(0, longestHeader).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return spaced
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const byPhrase = new Map(
  Object.entries(phrases).flatMap(([field, list]) => list.map((phrase) => [foldHeader(phrase), field] as const)),
);

/**
 * What a header means; `field` null: nothing of the contact. `isSure`: it can be nothing else;
 * else what stands in the column has to tell.
 */
export type HeaderMeaning = { field: string | null; isSure: boolean };

/** Null: nothing that we know. @param own the company's own fields, as `ownHeaders` makes them */
export function meaningOf(header: string, own: ReadonlyMap<string, string>): HeaderMeaning | null {
  const whole = foldHeader(header);
  const known = own.get(whole);
  if (known !== undefined) return { field: known, isSure: true };
  // `phone 2` is a phone, and Pipedrive's `Person - Name` a name.
  const bare = whole
    .replace(/(?<= |^)\d+(?= |$)/g, '')
    .replace(/\d+$/, '')
    .replace(/ +/g, ' ')
    .trim();
  for (const each of [bare, bare.replace(/^(?:person|contact|kontakt|user|end user|lead) /, '')]) {
    const field = byPhrase.get(each);
    if (field !== undefined) return { field, isSure: true };
  }
  if (others.test(bare)) return { field: null, isSure: true };
  const words = bare.split(' ').filter((word) => word !== '' && word !== 's');
  const label = /^(.+) (?:label|type|typ|tipo)$/.exec(bare)?.[1]?.split(' ');
  for (const kind of ['email', 'phone'] as const) {
    if (isOfKind(kind, words)) return { field: kind, isSure: true };
    if (label !== undefined && isOfKind(kind, label)) return { field: `${kind}_label`, isSure: true };
  }
  return words.length > 0 && words.every((word) => maybeKinds.has(word)) ? { field: 'phone', isSure: false } : null;
}

function isOfKind(kind: 'phone' | 'email', words: readonly string[]): boolean {
  return (
    words.some((word) => kinds[kind].has(word)) &&
    words.every((word) => kinds[kind].has(word) || kinds.phone.has(word) || besides.has(word))
  );
}

/** The label that the header of a number or an address tells; undefined: none. */
export function labelIn(header: string): string | undefined {
  const whole = foldHeader(header);
  return labels.find(([sign]) => sign.test(whole))?.[1];
}

/** Under which folded headers the company's own fields stand; the earliest field has each. */
export function ownHeaders(fields: readonly ContactField[]): ReadonlyMap<string, string> {
  return new Map(
    fields
      .toReversed()
      .flatMap(({ key, label }) =>
        [key, label, `fields.${key}`].map((header) => [foldHeader(header), `fields.${key}`] as const),
      ),
  );
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(foldHeader));
}
