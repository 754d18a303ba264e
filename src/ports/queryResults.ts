/**
 * The result of finding something by id within one company.
 * An id of another company is told apart, so that it can be refused as such.
 */
export type FindResult<T> = { kind: 'found'; value: T } | { kind: 'unknown' } | { kind: 'wrong_company' };

/** One page of a list in id order; `nextCursor` is null on the last. */
export type Page<T> = { items: T[]; nextCursor: string | null };
export type PageRequest = { cursor: string | null; limit: number };
