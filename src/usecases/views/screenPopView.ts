import type { JsonText } from '../../contract/jsonText.ts';
import type { ExactScreenPop, ExactTexts, ScreenPop } from '../../contract/screenPops.ts';

/** A screen pop for an HTTP answer, with the CRM's fields exactly as they came. */
export function writtenScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.asWritten() };
}

/** A screen pop for a socket, whose messages are parsed and written by JavaScript. */
export function plainScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.plain() };
}

/** The exact texts sent beside a socket message, where parsing its free-form fields would lose something. */
export function exactTexts(pop: ExactScreenPop | null, metadata: JsonText | null): { exact?: ExactTexts } {
  const crm = pop?.crm?.exact();
  const exactMetadata = metadata?.exact();
  if (crm === undefined && exactMetadata === undefined) return {};
  return { exact: { ...(crm === undefined ? {} : { crm }), ...(exactMetadata === undefined ? {} : { metadata: exactMetadata }) } };
}
