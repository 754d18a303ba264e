import { type FakeId, fakes } from './allFakes.ts';
import type { FakeCrm } from './fakeCrm.ts';

/** A provider as the tests of all of them need it. */
export type FakedCrm = {
  name: string;
  open: () => Promise<FakeCrm>;
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
