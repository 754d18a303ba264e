import type { JsonText } from '../../contract/jsonText.ts';
import type { ExactScreenPop, ExactTexts, ScreenPop } from '../../contract/screenPops.ts';

/** A screen pop for an answer that is written with what the CRM said, to the letter. */
export function writtenScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.asWritten() };
}

/** A screen pop for a socket, whose messages are parsed and written by JavaScript. */
export function plainScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.plain() };
}

/** What a message for a socket carries beside, where its free-form fields lose something on their way. */
export function exactTexts(pop: ExactScreenPop | null, metadata: JsonText | null): { exact?: ExactTexts } {
  const crm = pop?.crm?.exact();
  const exactMetadata = metadata?.exact();
  if (crm === undefined && exactMetadata === undefined) return {};
  return { exact: { ...(crm === undefined ? {} : { crm }), ...(exactMetadata === undefined ? {} : { metadata: exactMetadata }) } };
}
