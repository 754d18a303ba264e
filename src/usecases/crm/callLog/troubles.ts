import type { WebhookCause } from '../../../contract/causes.ts';
import { asSentence } from '../../../domain/outcome.ts';
import type { CrmTrouble, HeldBack } from '../../../ports/crm.ts';

/** Why a call is not logged, or not as it might be: a reason of the gateway's own, or what the CRM said. */
export type Trouble = { cause: CrmCause } | { trouble: Told };

/** What is held back is not tried, and not told of: it goes later. */
export type Told = Exclude<CrmTrouble, HeldBack>;

type CrmCause = Extract<WebhookCause, { code: `crm_${string}` }>;

/** The sentence for the delivery log, and the same as a code. @param name of the CRM */
export function wordsOf(name: string, why: Trouble): { sentence: string; cause: CrmCause } {
  const cause = 'cause' in why ? why.cause : causeOf(name, why.trouble);
  return { sentence: sentenceOf(name, cause), cause };
}

function causeOf(name: string, trouble: Told): CrmCause {
  const words = asSentence(trouble.message);
  switch (trouble.kind) {
    case 'unauthorized':
      return { code: 'crm_unauthorized', params: { name, words } };
    case 'forbidden':
      return trouble.permission === null
        ? { code: 'crm_forbidden', params: { name, words } }
        : { code: 'crm_forbidden_permission', params: { name, words, permission: trouble.permission } };
    case 'rate_limited':
      return { code: 'crm_rate_limited', params: { name } };
    case 'invalid':
      return trouble.field === null
        ? { code: 'crm_refused', params: { name, words } }
        : { code: 'crm_refused_field', params: { name, words, field: trouble.field } };
    case 'not_found':
    case 'exists':
      return { code: 'crm_not_found', params: { name, words } };
    case 'unavailable':
      return { code: 'crm_unavailable', params: { name, words } };
    case 'no_answer':
      return { code: 'crm_no_answer', params: { name, words } };
  }
}

function sentenceOf(name: string, cause: CrmCause): string {
  const words = cause.params !== undefined && 'words' in cause.params ? String(cause.params.words) : '';
  switch (cause.code) {
    case 'crm_unauthorized':
      return `${name} refuses the credentials: ${words} Calls wait until an admin has connected it anew.`;
    case 'crm_forbidden':
      return `${name} does not permit it: ${words}`;
    case 'crm_forbidden_permission':
      return `${name} does not permit it: ${words} What is missing: ${String(cause.params.permission)}.`;
    case 'crm_rate_limited':
      return `${name} allows no more requests at the moment; this one goes later.`;
    case 'crm_refused':
      return `${name} does not take it as it is: ${words}`;
    case 'crm_refused_field':
      return `${name} does not take it as it is: ${words} Look at the field ${String(cause.params.field)}.`;
    case 'crm_not_found':
      return `${name} does not find what the call belongs to: ${words}`;
    case 'crm_unavailable':
      return `${name} does not answer as it should: ${words}`;
    case 'crm_no_answer':
      return `${name} has not answered: ${words}`;
    case 'crm_looks_again':
      return (
        `An attempt before may have written it and ${name} does not show it yet; ` +
        'the gateway looks again after 30 s.'
      );
    case 'crm_keeps_none':
      return `Nothing was written: ${name} keeps calls only with a record, and this call has none.`;
    case 'crm_keeps_entries':
      return `Nothing was changed: ${name} keeps entries as they were written.`;
    case 'crm_disconnected':
      return 'Not logged: the company is not connected to this CRM any more.';
    case 'crm_call_gone':
      return 'Not logged: the call is not kept any more.';
  }
}
