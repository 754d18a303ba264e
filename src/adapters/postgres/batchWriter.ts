/** Collects rows that several callers write at the same time into few large writes. */
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
  /** Of several rows with one key in a batch, only the last is written. */
  keyOf: (row: Row) => string;
  /** A row's share of `maxWeight`, e.g. its size in characters. */
  weightOf: (row: Row) => number;
  maxRows: number;
  /** A batch ends before the row that would exceed it; a single row may. */
  maxWeight: number;
  /** Whether an error is one row's fault, so that its neighbours deserve a try of their own. */
  isRowFault: (error: unknown) => boolean;
};

type Waiting<Row, Result> = { row: Row; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Writes as soon as there is something to write, one batch at a time: what arrives meanwhile is the next batch. So
 * a lone row waits for nothing, and a busy writer batches by itself, without a timer.
 */
export function createBatchWriter<Row, Result = void>(options: BatchWriterOptions<Row, Result>): BatchWriter<Row, Result> {
  let queue: Waiting<Row, Result>[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    // Rows that were added in the same turn of the event loop belong together.
    await Promise.resolve();
    while (queue.length > 0) {
      const { weightOf, maxRows, maxWeight } = options;
      const batch = batchOf(queue, ({ row }) => weightOf(row), maxRows, maxWeight);
      queue = queue.slice(batch.length);
      await writeBatch(batch, options);
    }
    busy = false;
  }

  return {
    add(row) {
      return new Promise((resolve, reject) => {
        queue.push({ row, resolve, reject });
        if (busy) return;
        busy = true;
        void drain();
      });
    },
  };
}

/** The first rows that make up a batch; at least one. */
export function batchOf<Row>(rows: readonly Row[], weightOf: (row: Row) => number, maxRows: number, maxWeight: number): Row[] {
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
