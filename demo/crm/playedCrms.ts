import { CustomFake } from '../../test/support/crm/customFake.ts';
import { DynamicsFake } from '../../test/support/crm/dynamicsFake.ts';
import type { FakeCrm } from '../../test/support/crm/fakeCrm.ts';
import { FreshdeskFake } from '../../test/support/crm/freshdeskFake.ts';
import { HubspotFake } from '../../test/support/crm/hubspotFake.ts';
import { IntercomFake } from '../../test/support/crm/intercomFake.ts';
import { PipedriveFake } from '../../test/support/crm/pipedriveFake.ts';
import { SalesforceFake } from '../../test/support/crm/salesforceFake.ts';
import { ServicenowFake } from '../../test/support/crm/servicenowFake.ts';
import { ZendeskFake } from '../../test/support/crm/zendeskFake.ts';
import { ZohoFake } from '../../test/support/crm/zohoFake.ts';
import type { crmProviders } from '../../src/contract/vocabulary.ts';

/** One of the ten CRM systems that the interface names. */
export type PlayedProvider = (typeof crmProviders)[number]['id'];

/** The CRM systems that can be played on this machine: the very ones that the tests hold the gateway against. */
export const playedCrms: Record<PlayedProvider, () => Promise<FakeCrm>> = {
  salesforce: () => SalesforceFake.open(),
  hubspot: () => HubspotFake.open(),
  zendesk: () => ZendeskFake.open(),
  freshdesk: () => FreshdeskFake.open(),
  dynamics: () => DynamicsFake.open(),
  pipedrive: () => PipedriveFake.open(),
  zoho: () => ZohoFake.open(),
  intercom: () => IntercomFake.open(),
  servicenow: () => ServicenowFake.open(),
  custom: () => CustomFake.open(),
};
