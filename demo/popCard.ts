import { crmFields } from '../src/client/crmFields.ts';
import type { CrmScreenPop } from '../src/contract/socket.ts';

const width = 60;

/** A screen pop as a small card for the terminal. */
export function popCard(pop: CrmScreenPop): string {
  const { screen_pop: customer, phone_number, caller, trigger, found } = pop;
  const head = [customer.name ?? 'Unknown customer', customer.vip_tier].filter((text) => text != null && text !== '');
  const lines = [
    head.join(' · '),
    `${phone_number ?? caller ?? 'Withheld number'}   ` +
      `${trigger.replaceAll('_', ' ')}${found ? '' : ' (nothing was pushed for this number)'}`,
    ...(customer.email === undefined ? [] : [customer.email]),
    ...(customer.external_system === undefined ? [] : [`${customer.external_system} ${customer.external_id ?? ''}`]),
    ...crmFields(pop)
      .filter(([name]) => name !== 'name' && name !== 'email')
      .map(([name, text]) => `${name}: ${text}`),
  ];
  // No right edge: letters of some scripts are two columns wide.
  return ['┌' + '─'.repeat(width), ...lines.map((line) => `│ ${shortened(line)}`), '└' + '─'.repeat(width)].join('\n');
}

/** Control characters, which a terminal would obey, become spaces. */
function shortened(text: string): string {
  const letters = [...text.replace(/\p{Cc}/gu, ' ')];
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : letters.join('');
}
