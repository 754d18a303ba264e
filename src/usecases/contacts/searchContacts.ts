import type { CrmSearchQuery, CrmSearchResult, FoundContact } from '../../contract/crmSearch.ts';
import type { Principal } from '../../domain/access.ts';
import { primaryOf } from '../../domain/contacts.ts';
import { searchedNumbers, type SearchedNumbers } from '../../domain/phones/searchedNumbers.ts';
import { foldText, holdsNear, holdsWords, wordsOf } from '../../domain/searchText.ts';
import type { ContactHit } from '../../ports/contacts.ts';
import { inSlices } from '../concurrency/slices.ts';
import type { Services } from '../services.ts';
import { scopeOf } from './contactScope.ts';

/** Organisations stand beside the contacts, not before them. */
const organisationsAtMost = 5;

/**
 * Contacts that fit what was typed so far, as far as they are shown to the caller, and organisations of such a name.
 */
export async function searchContacts(
  services: Pick<Services, 'contactSearch' | 'companyOf'>,
  principal: Principal,
  { q, limit }: CrmSearchQuery,
): Promise<CrmSearchResult> {
  const { companyId } = principal;
  const scope = await scopeOf(services, principal);
  const numbers = searchedNumbers(q, (await services.companyOf(companyId)).defaultCountry);
  const words = wordsOf(q);
  const [ofNumber, ofWords, organisations] = await Promise.all([
    numbers === null ? [] : services.contactSearch.byNumber(companyId, scope, numbers, limit),
    services.contactSearch.byWords(companyId, scope, words, limit),
    services.contactSearch.organisations(companyId, words, Math.min(limit, organisationsAtMost)),
  ]);
  const known = new Set(ofNumber.map(({ contact }) => contact.id));
  const hits = [...ofNumber, ...ofWords.filter(({ contact }) => !known.has(contact.id))].slice(0, limit);
  const contacts: FoundContact[] = [];
  for await (const hit of inSlices(hits)) contacts.push(found(hit, words, numbers));
  return { contacts, organisations };
}

function found({ contact, by }: ContactHit, words: string[], numbers: SearchedNumbers | null): FoundContact {
  const approximate = by === 'approximate';
  const fits = (text: string | null | undefined) => {
    if (text == null) return false;
    const folded = foldText(text);
    return words.some((word) => holdsWords(folded, [word]) || (approximate && holdsNear(folded, word)));
  };
  const phone = numbers === null ? undefined : contact.phones.find((each) => isNumber(each.phone, numbers));
  const email = contact.emails.find((each) => fits(each.email));
  const { id, name, organisation, owner, tier, doNotCall } = contact;
  return {
    id,
    name,
    organisation,
    owner,
    phone_number: (phone ?? primaryOf(contact.phones))?.phone ?? null,
    email: (email ?? primaryOf(contact.emails))?.email ?? null,
    tier,
    do_not_call: doNotCall,
    matched: [
      ...(fits(name) ? (['name'] as const) : []),
      ...(phone === undefined ? [] : (['phone'] as const)),
      ...(email === undefined ? [] : (['email'] as const)),
      ...(fits(organisation?.name) ? (['organisation'] as const) : []),
    ],
    approximate,
  };
}

function isNumber(phone: string, { elsewhere, prefixes, reversedEnd }: SearchedNumbers): boolean {
  return (
    [...prefixes, ...elsewhere].some((prefix) => phone.startsWith(prefix)) ||
    (reversedEnd !== null && [...phone].toReversed().join('').startsWith(reversedEnd))
  );
}
