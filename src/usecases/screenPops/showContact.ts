import type { Contact } from '../../domain/contacts.ts';
import { otherSpelling } from '../../domain/phones/phoneSpellings.ts';
import { ok } from '../../domain/outcome.ts';
import { layOver } from '../../domain/screenPop.ts';
import { contactPop } from '../contacts/contactViews.ts';
import type { Services } from '../services.ts';
import { changeScreenPop } from './changeScreenPop.ts';

/** Calls that began so long ago still get the name: a day's work. Milliseconds. */
const sinceMs = 24 * 3_600_000;
/** So many of one number's calls are looked at. */
const mostCalls = 20;
/** So many numbers of a contact are. */
const mostNumbers = 20;

/**
 * A contact was made, or got a number: the calls of the last day with its numbers of which nobody was known are with
 * that contact, those that last among them, whose agents are told. Never rejects: the contact is there without it.
 */
export async function showContact(
  services: Pick<Services, 'calls' | 'clock' | 'contacts' | 'observer' | 'companyOf' | 'softphones'>,
  contact: Contact,
): Promise<void> {
  const { companyId } = contact;
  try {
    if (contact.phones.length === 0 || (await services.companyOf(companyId)).mode === 'push') return;
    const phones = contact.phones
      .slice(0, mostNumbers)
      .flatMap(({ phone }) => [phone, otherSpelling(phone)])
      .filter((phone) => phone !== null);
    const since = new Date(services.clock.now() - sinceMs);
    const { items } = await services.calls.list(companyId, { phones, since }, { cursor: null, limit: mostCalls });
    const unknown = items.filter(
      ({ customerName, externalSystem }) => customerName === null && externalSystem === null,
    );
    if (unknown.length === 0) return;
    const fields = Object.keys(contact.fields).length === 0 ? [] : await services.contacts.popFields(companyId);
    const pop = contactPop(contact, fields);
    for (const call of unknown) {
      // Of several who share the number it is for the agent to say who it was.
      await changeScreenPop(services, call, ({ screenPop }) =>
        ok(
          screenPop?.contact_id === undefined && screenPop?.candidates === undefined
            ? layOver(screenPop ?? {}, pop)
            : screenPop,
        ),
      );
    }
  } catch (error) {
    services.observer.problem('the calls of a contact could not get its name', error, { company_id: companyId });
  }
}
