import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

describe('a batch of an import is read and judged while the one before it is written', () => {
  let gateway: Gateway;
  let company: TestCompany;
  const room = importRoom(
    () => gateway,
    () => company,
  );
  /** How often rows were judged, and batches written. */
  let done = { judged: 0, written: 0 };

  beforeAll(async () => {
    gateway = await startGateway('memory', {
      wrap: (services) => {
        const { organisationsNamed, write } = services.imports;
        // Who works in the background has the store itself.
        Object.assign(services.imports, {
          organisationsNamed: async (...asked) => {
            const found = await organisationsNamed(...asked);
            done.judged += 1;
            return found;
          },
          write: async (batch) => {
            // Nothing is written before the rows behind it are being judged; behind the last ones there are none.
            if (batch.rows.length > 0) await eventually(() => done.judged > done.written + 1);
            done.written += 1;
            return write(batch);
          },
        } satisfies Partial<typeof services.imports>);
        return services;
      },
    });
    company = await gateway.company({ slug: 'batches', agents: 1 });
  });
  beforeEach(() => void (done = { judged: 0, written: 0 }));
  afterAll(() => gateway.close());

  const file = (of: (n: number) => string) =>
    ['name,phone,email,company', ...Array.from({ length: 1_200 }, (_, n) => of(n)), ''].join('\n');
  const person = (n: number) => `Customer ${n},+1202556${1_000 + n},c${n}@example.com,`;

  it('and judged once, in a check as in a run', async () => {
    const { body: one } = await room.upload(file(person)).expect(201);
    expect((await room.run(one.id, true)).counts.created).toBe(1_200);
    expect(done).toEqual({ judged: 4, written: 4 });
    done = { judged: 0, written: 0 };
    expect((await room.run(one.id)).counts.created).toBe(1_200);
    expect(done).toEqual({ judged: 4, written: 4 });
    expect((await room.undo(one.id)).counts.undone).toBe(1_200);
  });

  it('and once more where both name an organisation that the first makes', async () => {
    const { body: one } = await room.upload(file((n) => `${person(n)}Flow-Matic`)).expect(201);
    await room.run(one.id, true);
    expect(done, 'a check makes none').toEqual({ judged: 4, written: 4 });
    done = { judged: 0, written: 0 };
    expect((await room.run(one.id)).counts.created).toBe(1_200);
    expect(done).toEqual({ judged: 5, written: 4 });
    const { body } = await room.admin().get('/api/crm/organisations').expect(200);
    expect(body.organisations).toMatchObject([{ name: 'Flow-Matic' }]);
    await room.undo(one.id);
  });

  it('and once more where both are about one customer', async () => {
    const { body: one } = await room
      .upload(file((n) => (n < 600 ? person(n) : `${person(n - 600).replace('c', 'd')}`)))
      .expect(201);
    expect((await room.run(one.id)).counts).toMatchObject({ created: 600, updated: 600 });
    expect(done.judged).toBeGreaterThan(done.written);
    await room.undo(one.id);
  });
});
