/** Collects rows from concurrent callers into few large writes. */
export type BatchWriter<Row, Result = void> = {
  /**
   * Resolves when the row, or a later one with the same key, is durable, with what the write of its batch answered;
   * rejects when it could not be written.
   */
  add(row: Row): Promise<Result>;
};

export type BatchWriterOptions<Row, Result = void> = {
  /** Writes rows with distinct keys, in ascending order of key, all or nothing. */
  write: (rows: Row[]) => Promise<Result>;
  /**
   * A batch holds rows of one group; groups take turns, and one batch of a group is under way at a time.
   * Absent: all are one.
   */
  groupOf?: (row: Row) => string;
  /** Batches under way at once. */
  atOnce?: number;
  /** Of several rows with one key in a batch, only the last is written. */
  keyOf: (row: Row) => string;
  /** A row's share of `maxWeight`, e.g. its size in characters. */
  weightOf: (row: Row) => number;
  maxRows: number;
  /** A batch ends before the row that would exceed it; a single row may. */
  maxWeight: number;
  /** Whether one row caused the error, so that the others are tried one by one. */
  isRowFault: (error: unknown) => boolean;
};

type Waiting<Row, Result> = { row: Row; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Writes as soon as there is something to write, one batch of a group at a time: what arrives meanwhile is the next
 * batch. So a lone row waits for nothing, and a busy writer batches by itself, without a timer.
 */
export function createBatchWriter<Row, Result = void>(
  options: BatchWriterOptions<Row, Result>,
): BatchWriter<Row, Result> {
  const { weightOf, maxRows, maxWeight, groupOf = () => '', atOnce = 1 } = options;
  /** Waiting rows by group, in the order of the groups' turns. */
  const queues = new Map<string, Waiting<Row, Result>[]>();
  const busy = new Set<string>();
  let working = 0;

  async function work(): Promise<void> {
    // Rows that were added in the same turn of the event loop belong together.
    await Promise.resolve();
    for (let group = next(); group !== undefined; group = next()) {
      const queue = queues.get(group) ?? [];
      const batch = batchOf(queue, ({ row }) => weightOf(row), maxRows, maxWeight);
      queues.delete(group);
      if (batch.length < queue.length) queues.set(group, queue.slice(batch.length));
      busy.add(group);
      await writeBatch(batch, options);
      busy.delete(group);
    }
    working -= 1;
  }

  function next(): string | undefined {
    for (const group of queues.keys()) if (!busy.has(group)) return group;
    return undefined;
  }

  return {
    add(row) {
      return new Promise((resolve, reject) => {
        const group = groupOf(row);
        const queue = queues.get(group);
        if (queue === undefined) queues.set(group, [{ row, resolve, reject }]);
        else queue.push({ row, resolve, reject });
        if (working === atOnce) return;
        working += 1;
        void work();
      });
    },
  };
}

/** The first rows that make up a batch; at least one. */
export function batchOf<Row>(
  rows: readonly Row[],
  weightOf: (row: Row) => number,
  maxRows: number,
  maxWeight: number,
): Row[] {
  let length = 0;
  let weight = 0;
  for (const row of rows) {
    weight += weightOf(row);
    if (length === maxRows || (length > 0 && weight > maxWeight)) break;
    length += 1;
  }
  return rows.slice(0, length);
}

/** Settles every caller of the batch; never rejects, so that the next batch goes on. */
async function writeBatch<Row, Result>(
  batch: Waiting<Row, Result>[],
  options: BatchWriterOptions<Row, Result>,
): Promise<void> {
  try {
    const result = await options.write(lastOfEachKey(batch, options.keyOf));
    for (const { resolve } of batch) resolve(result);
  } catch (error) {
    if (batch.length > 1 && options.isRowFault(error)) return writeOneByOne(batch, options);
    for (const { reject } of batch) reject(error);
  }
}

async function writeOneByOne<Row, Result>(
  batch: Waiting<Row, Result>[],
  { write }: BatchWriterOptions<Row, Result>,
): Promise<void> {
  for (const { row, resolve, reject } of batch) {
    try {
      resolve(await write([row]));
    } catch (error) {
      reject(error);
    }
  }
}

/** Sorted, so that writers in several processes lock rows in one order and cannot deadlock. */
function lastOfEachKey<Row>(batch: { row: Row }[], keyOf: (row: Row) => string): Row[] {
  const byKey = new Map(batch.map(({ row }) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
