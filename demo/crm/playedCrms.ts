import type { crmProviders } from '../../src/contract/vocabulary.ts';
import { fakes } from '../../test/support/crm/allFakes.ts';
import type { FakeCrm } from '../../test/support/crm/fakeCrm.ts';

/** One of the ten CRM systems that the interface names. */
export type PlayedProvider = (typeof crmProviders)[number]['id'];

/** The CRM systems that can be played on this machine: the very ones that the tests hold the gateway against. */
export const playedCrms: Record<PlayedProvider, () => Promise<FakeCrm>> = fakes;
