import type { CompanyId } from '../../domain/ids.ts';
import type { KeyedMutex } from '../concurrency/keyedMutex.ts';
import { idleFor } from '../concurrency/slices.ts';

/** Shorter answers are read at once. Characters. */
const longAnswer = 64 * 1024;
/** So much of an answer is read in a millisecond, about: many short fields are what costs. Characters. */
const readInMs = 64 * 1024;
/** So much of the time others have before: an answer cannot be read in slices. Times that of reading. */
const leftToOthers = 4;

/**
 * Has long answers of CRM systems read one of a company at a time,
 * each after the process had nothing to do for four times as long as that takes.
 */
export function createAnswerPace(turns: KeyedMutex): (companyId: CompanyId, length: number) => Promise<void> {
  return async (companyId, length) => {
    if (length > longAnswer)
      await turns.run(`long answers to ${companyId}`, () => idleFor((leftToOthers * length) / readInMs));
  };
}
