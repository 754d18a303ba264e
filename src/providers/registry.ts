import { custom } from './custom.ts';
import { dynamics } from './dynamics.ts';
import { freshdesk } from './freshdesk.ts';
import { hubspot } from './hubspot.ts';
import { intercom } from './intercom.ts';
import { pipedrive } from './pipedrive.ts';
import type { Provider } from './provider.ts';
import { salesforce } from './salesforce.ts';
import { servicenow } from './servicenow.ts';
import { zendesk } from './zendesk.ts';
import { zoho } from './zoho.ts';

/**
 * Every CRM system that the gateway can connect to: the one list.
 * Wire and database take any id, so a new CRM is a file and a line here.
 */
export const providers: readonly Provider<unknown>[] = [
  register(salesforce),
  register(hubspot),
  register(zendesk),
  register(freshdesk),
  register(dynamics),
  register(pipedrive),
  register(zoho),
  register(intercom),
  register(servicenow),
  register(custom),
];

/** Forgets the type of its credentials: a provider is only ever given what its own schema has read. */
export function register<Credentials>(provider: Provider<Credentials>): Provider<unknown> {
  return provider as unknown as Provider<unknown>;
}
