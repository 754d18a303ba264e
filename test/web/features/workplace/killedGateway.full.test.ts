import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { GatewayProcess } from '../../../../demo/cluster/gatewayProcess.ts';
import { spawnGateway } from '../../../support/gateway/gatewayProcess.ts';
import { type Gateways, startGateways } from '../../../support/gateway/gateways.ts';
import { beginnings, type Doomed, happenings, TransferStory } from '../../../support/workplace/transferStory.ts';
import { WorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { sipCompany } from '../../../support/workplace/workplaces.ts';

describe('a gateway that is killed while a call is handed on', () => {
  const room = new WorkplaceRoom();
  let gateways: Gateways;
  let dataDir: string;
  let dying: GatewayProcess | null = null;

  beforeAll(async () => {
    gateways = await startGateways(1);
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-killed-'));
    room.gateway = gateways.at(0);
    room.company = await sipCompany(room.gateway, 'killed-gateways');
  });
  afterEach(async () => {
    if (dying?.hasEnded === false) await dying.kill('SIGKILL');
  });
  afterAll(async () => {
    await gateways.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function doomed(): Promise<Doomed> {
    const spawned = await spawnGateway(dataDir, { env: gateways.environment });
    dying = spawned;
    return {
      url: await spawned.url(),
      async kill() {
        await spawned.kill('SIGKILL');
        await gateways.lapseOthers();
      },
    };
  }

  it('leaves the customer with one agent, or on hold with one, and the records tell so', async () => {
    const some = fc.array(fc.constantFrom(...happenings), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(beginnings, some, some, async (first, before, after) => {
        const story = await TransferStory.begin(room, await doomed());
        await story.holds([first, ...before, 'the gateway is killed', ...after]);
        await room.leave();
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
