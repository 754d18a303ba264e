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

/** How each CRM of the tests is opened, by the provider's id. */
export const fakes = {
  salesforce: () => SalesforceFake.open(),
  hubspot: () => HubspotFake.open(),
  zendesk: () => ZendeskFake.open(),
  freshdesk: (now?: () => number) => FreshdeskFake.open(now),
  dynamics: () => DynamicsFake.open(),
  pipedrive: () => PipedriveFake.open(),
  zoho: () => ZohoFake.open(),
  intercom: () => IntercomFake.open(),
  servicenow: () => ServicenowFake.open(),
  custom: () => CustomFake.open(),
} as const satisfies Record<string, (now?: () => number) => Promise<FakeCrm>>;

export type FakeId = keyof typeof fakes;
export const fakeIds = Object.keys(fakes) as FakeId[];
