import { describe, expect, it } from 'vitest';
import { createBatchWriter, type BatchWriterOptions } from '../../../src/adapters/postgres/batchWriter.ts';

type Row = { key: string; value: string };
type Write = { rows: string[]; finish: () => void; fail: (error: Error) => void };

class RowFault extends Error {}

/** A writer whose writes stand still until the test finishes each of them. */
function gatedWriter(options: Partial<BatchWriterOptions<Row>> = {}) {
  const writes: Write[] = [];
  let announce: () => void = () => {};
  const writer = createBatchWriter<Row>({
    write: (rows) =>
      new Promise((finish, fail) => {
        writes.push({ rows: rows.map(({ key, value }) => `${key}=${value}`), finish, fail });
        announce();
      }),
    keyOf: (row) => row.key,
    weightOf: (row) => row.value.length,
    maxRows: 500,
    maxWeight: 1_000,
    isRowFault: (error) => error instanceof RowFault,
    ...options,
  });
  return {
    writes,
    add: (key: string, value = 'x') => writer.add({ key, value }),
    /** The write with that number, counted from 0, as soon as it is under way. */
    async write(number: number): Promise<Write> {
      while (writes.length <= number) await new Promise<void>((resolve) => (announce = resolve));
      const write = writes[number];
      if (write === undefined) throw new Error('no such write');
      return write;
    },
  };
}

describe('the batch writer', () => {
  it('writes a lone row at once', async () => {
    const gate = gatedWriter();
    const added = gate.add('a');
    const write = await gate.write(0);
    expect(write.rows).toEqual(['a=x']);
    write.finish();
    await added;
  });

  it('sends what arrives during a write together as the next, and has one under way at a time', async () => {
    const gate = gatedWriter();
    const first = gate.add('a');
    const write = await gate.write(0);
    const later = [gate.add('c'), gate.add('b')];
    await Promise.resolve();
    expect(gate.writes).toHaveLength(1);
    write.finish();
    await first;
    const second = await gate.write(1);
    expect(second.rows).toEqual(['b=x', 'c=x']);
    second.finish();
    await Promise.all(later);
  });

  it('writes the last of several rows with one key and settles them all', async () => {
    const gate = gatedWriter();
    const added = [gate.add('a', '1'), gate.add('b', '2'), gate.add('a', '3')];
    const write = await gate.write(0);
    expect(write.rows).toEqual(['a=3', 'b=2']);
    write.finish();
    await Promise.all(added);
  });

  it('keeps batches below the limit of rows and of weight', async () => {
    const gate = gatedWriter({ maxRows: 2, maxWeight: 10 });
    const added = [
      gate.add('a'),
      gate.add('b'),
      gate.add('c', '123456'),
      gate.add('d', '123456'),
      gate.add('e', '12345678901'),
    ];
    for (const [number, rows] of [['a=x', 'b=x'], ['c=123456'], ['d=123456'], ['e=12345678901']].entries()) {
      const write = await gate.write(number);
      expect(write.rows).toEqual(rows);
      write.finish();
    }
    await Promise.all(added);
  });

  it('writes one group at a time, groups in turn, so many at once, and never two batches of one', async () => {
    const gate = gatedWriter({ groupOf: (row) => row.key.slice(0, 1), atOnce: 2, maxRows: 2 });
    const added = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4'].map((key) => gate.add(key));
    const [a, b] = [await gate.write(0), await gate.write(1)];
    expect([a.rows, b.rows]).toEqual([['a1=x', 'a2=x'], ['b1=x']]);
    await Promise.resolve();
    expect(gate.writes).toHaveLength(2);
    b.finish();
    const c = await gate.write(2);
    expect(c.rows).toEqual(['c1=x']);
    // The other place is free, but what waits is of a group that is being written.
    c.finish();
    await added[4];
    const late = gate.add('a5');
    await Promise.resolve();
    expect(gate.writes).toHaveLength(3);
    a.finish();
    const rest = await gate.write(3);
    expect(rest.rows).toEqual(['a3=x', 'a4=x']);
    rest.finish();
    const last = await gate.write(4);
    expect(last.rows).toEqual(['a5=x']);
    last.finish();
    await Promise.all([...added, late]);
  });

  it('tells only the callers of a failed write, and goes on with the next', async () => {
    const gate = gatedWriter();
    const failed = [gate.add('a'), gate.add('b')];
    const outcome = Promise.allSettled(failed);
    const write = await gate.write(0);
    const next = gate.add('c');
    write.fail(new Error('the connection is gone'));
    expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const second = await gate.write(1);
    expect(second.rows).toEqual(['c=x']);
    second.finish();
    await next;
  });

  it('writes row by row where one row is at fault, so that its neighbours are kept', async () => {
    const gate = gatedWriter();
    const outcome = Promise.allSettled([gate.add('a'), gate.add('poison'), gate.add('b')]);
    (await gate.write(0)).fail(new RowFault());
    (await gate.write(1)).finish();
    (await gate.write(2)).fail(new RowFault());
    (await gate.write(3)).finish();
    expect((await outcome).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(gate.writes.map(({ rows }) => rows)).toEqual([['a=x', 'b=x', 'poison=x'], ['a=x'], ['poison=x'], ['b=x']]);
  });
});
