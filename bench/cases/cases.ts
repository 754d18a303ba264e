import type { BenchCase } from './case.ts';
import { claimsCase } from './claims.ts';
import { clickCase } from './click.ts';
import { crmCase } from './crm.ts';
import { crmIsolationCase } from './crmIsolation.ts';
import { crowdCase } from './crowd.ts';
import { hostileNeighbourCase } from './hostileNeighbour.ts';
import { idleAgentsCase } from './idleAgents.ts';
import { importsCase } from './imports.ts';
import { longListsCase } from './longLists.ts';
import { lookupCase } from './lookup.ts';
import { nodesCase } from './nodes.ts';
import { pushCase } from './push.ts';
import { recoveryCase } from './recovery.ts';
import { reportsCase } from './reports.ts';
import { searchCase } from './search.ts';
import { webhooksCase } from './webhooks.ts';

/** In the order in which they run and are reported. */
export const cases: readonly BenchCase[] = [
  lookupCase,
  pushCase,
  clickCase,
  crmCase,
  crmIsolationCase,
  claimsCase,
  idleAgentsCase,
  nodesCase,
  recoveryCase,
  searchCase,
  longListsCase,
  reportsCase,
  importsCase,
  hostileNeighbourCase,
  webhooksCase,
  // It asks most of the machine: what it cannot do there takes nothing from the others.
  crowdCase,
];
