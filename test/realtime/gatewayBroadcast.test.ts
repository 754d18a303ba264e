import { Server } from 'socket.io';
import { v7 as newId } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CompanyId, toId } from '../../src/domain/ids.ts';
import { createGatewayBroadcast, type GatewayBroadcast, supervisorsRoom } from '../../src/realtime/gatewayBroadcast.ts';
import type { Io } from '../../src/realtime/io.ts';
import type { SoftphoneRegistry } from '../../src/realtime/softphoneRegistry.ts';

const acme = toId<CompanyId>(newId());
const globex = toId<CompanyId>(newId());

describe('supervisors who come', () => {
  /** Questions to the other gateways that are not answered yet. */
  let asked: { companyId: string; answer: () => void; fail: (error: Error) => void }[];
  let broadcast: GatewayBroadcast;
  let comes: (socketId: string, companyId: CompanyId) => Promise<void>;
  let goes: (socketId: string) => void;

  beforeEach(() => {
    asked = [];
    const io: Io = new Server();
    const { adapter } = io.of('/');
    Object.assign(io, {
      serverSideEmitWithAck: (_: 'watched', companyId: string) =>
        new Promise<void>((answer, fail) => asked.push({ companyId, answer, fail })),
    });
    const others = { isHeard: async () => undefined, mayBeHeard: () => true, noteHearers: () => undefined };
    broadcast = createGatewayBroadcast({ io, registry: {} as SoftphoneRegistry, others });
    comes = async (socketId, companyId) => {
      void adapter.addAll(socketId, new Set([supervisorsRoom(companyId)]));
      await broadcast.watched(companyId);
    };
    goes = (socketId) => adapter.delAll(socketId);
  });

  it('together are told of to the other gateways once', async () => {
    const coming = [comes('one', acme), comes('two', acme), comes('of another company', globex)];
    await turn();
    expect(asked.map(({ companyId }) => companyId)).toEqual([acme, globex]);
    for (const { answer } of asked) answer();
    await Promise.all(coming);
    const later = comes('three', acme);
    await turn();
    expect(asked).toHaveLength(3);
    asked[2]?.answer();
    await later;
  });

  it('behind the last one, who has gone meanwhile, are told of anew', async () => {
    const first = comes('one', acme);
    await turn();
    goes('one');
    const second = { isTold: false };
    const coming = comes('two', acme).then(() => (second.isTold = true));
    await turn();
    asked[0]?.answer();
    await first;
    await turn();
    expect([asked.length, second.isTold]).toEqual([2, false]);
    asked[1]?.answer();
    await coming;
  });

  it('after a gateway that did not answer are told of again', async () => {
    const coming = [comes('one', acme), comes('two', acme)].map((each) => each.catch(String));
    await turn();
    asked[0]?.fail(new Error('one of them is away'));
    expect(await Promise.all(coming)).toEqual(['Error: one of them is away', 'Error: one of them is away']);
    const later = comes('three', acme);
    await turn();
    asked[1]?.answer();
    await later;
  });

  it('and have gone already are told of to nobody', async () => {
    await broadcast.watched(acme);
    expect(asked).toEqual([]);
  });
});

/** Until all that was begun has gone as far as it can. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
