import { CustomFake } from './customFake.ts';
import { DynamicsFake } from './dynamicsFake.ts';
import type { FakeCrm } from './fakeCrm.ts';
import { FreshdeskFake } from './freshdeskFake.ts';
import { HubspotFake } from './hubspotFake.ts';
import { IntercomFake } from './intercomFake.ts';
import { PipedriveFake } from './pipedriveFake.ts';
import { SalesforceFake } from './salesforceFake.ts';
import { ServicenowFake } from './servicenowFake.ts';
import { ZendeskFake } from './zendeskFake.ts';
import { ZohoFake } from './zohoFake.ts';

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

export const fakedCrms: FakedCrm[] = [
  { name: 'Salesforce', open: () => SalesforceFake.open(), hasTokens: true },
  { name: 'HubSpot', open: () => HubspotFake.open(), hasTokens: true },
  { name: 'Zendesk', open: () => ZendeskFake.open(), hasTokens: true },
  { name: 'Freshdesk', open: () => FreshdeskFake.open(), hasTokens: false },
  { name: 'Microsoft Dynamics 365', open: () => DynamicsFake.open(), hasTokens: true },
  { name: 'Pipedrive', open: () => PipedriveFake.open(), hasTokens: false },
  { name: 'Zoho CRM', open: () => ZohoFake.open(), hasTokens: true },
  { name: 'Intercom', open: () => IntercomFake.open(), hasTokens: false },
  { name: 'ServiceNow', open: () => ServicenowFake.open(), hasTokens: true, provesByReading: true },
  { name: 'Custom CRM', open: () => CustomFake.open(), options: { records_path: 'customers', name_path: 'contact.name', email_path: 'contact.email' }, hasTokens: false, provesByReading: true },
];
