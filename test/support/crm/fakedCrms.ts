import { type FakeId, fakes } from './allFakes.ts';
import type { FakeCrm, Heard } from './fakeCrm.ts';

/** A provider as the tests of all of them need it. */
export type FakedCrm = {
  name: string;
  /** @param now for those that allow so many requests a minute */
  open: (now?: () => number) => Promise<FakeCrm>;
  options?: Record<string, string>;
  /** Whether a token authenticates, which ends. */
  hasTokens: boolean;
  /** The request that proves the credentials reads records, too: who may not read them is refused as a whole. */
  provesByReading?: true;
};

const about: Record<FakeId, Omit<FakedCrm, 'open'>> = {
  salesforce: { name: 'Salesforce', hasTokens: true },
  hubspot: { name: 'HubSpot', hasTokens: true },
  zendesk: { name: 'Zendesk', hasTokens: true },
  freshdesk: { name: 'Freshdesk', hasTokens: false },
  dynamics: { name: 'Microsoft Dynamics 365', hasTokens: true },
  pipedrive: { name: 'Pipedrive', hasTokens: false },
  zoho: { name: 'Zoho CRM', hasTokens: true },
  intercom: { name: 'Intercom', hasTokens: false },
  servicenow: { name: 'ServiceNow', hasTokens: true, provesByReading: true },
  custom: {
    name: 'Custom CRM',
    options: { records_path: 'customers', name_path: 'contact.name', email_path: 'contact.email' },
    hasTokens: false,
    provesByReading: true,
  },
};

export const fakedCrms: FakedCrm[] = Object.entries(about).map(([id, one]) => ({ ...one, open: fakes[id as FakeId] }));

/** Which POST writes a call. */
const writes: Record<string, RegExp> = {
  salesforce: /\/sobjects\/Task$/,
  hubspot: /\/calls$/,
  zendesk: /\/tickets$/,
  freshdesk: /\/(tickets|notes)$/,
  dynamics: /\/phonecalls$/,
  pipedrive: /\/(callLogs|activities)$/,
  zoho: /\/Calls$/,
  intercom: /\/notes$/,
  servicenow: /\/interaction$/,
  custom: /./,
};

/** Whether a request writes a call into that CRM. */
export function writesCall({ id }: FakeCrm, { method, path }: Heard): boolean {
  return method === 'POST' && !path.includes('token') && (writes[id]?.test(path.replace(/\?.*/, '')) ?? false);
}
