import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isolated } from '../../../web/src/shared/phoneNumbers/direction.ts';

/** How the pages show a phone number once they have loaded the formats: `+1 555 123 0001`. @param number E.164 */
export function shownNumber(number: string): string {
  const parsed = parsePhoneNumberFromString(number);
  if (parsed === undefined) throw new Error(`${number} is no phone number`);
  return parsed.formatInternational();
}

/** The same within a sentence, between the invisible marks that keep its direction. @param number E.164 */
export function numberInSentence(number: string): string {
  return isolated(shownNumber(number));
}
