import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import { type AtCrm, CrmRoom } from '../../support/crm/crmRoom.ts';
import { type FakedCrm, fakedCrms, harbourCrm } from '../../support/crm/fakedCrms.ts';

/** What a CRM is tried for, each in the file of its name. */
export const abilities = ['push', 'pull', 'write_back', 'link'] as const;

/** What may happen, with every ability and in every CRM. */
export const cases = [
  'happy',
  'wrong signature',
  'replay',
  'wrong credential',
  'expired token',
  'rate limit',
  'time-out',
  'several matches',
  'none',
  'stranger returned',
  'reset after commit',
  'provider down',
] as const;
export type Case = (typeof cases)[number];

/** The ten of the interface, and one that was registered beside them. */
export const crms: readonly FakedCrm[] = [...fakedCrms, harbourCrm];

/** `sentence` goes on from the name of the CRM. `never`: why that cannot happen. */
export type Cell<One> = Shown<One> | { never: string };
export type Shown<One> = { sentence: string; shows: (one: One) => Promise<void> };
/** A function where CRM systems differ in what happens. */
export type Cells<One> = Record<Case, Cell<One> | ((crm: FakedCrm) => Cell<One>)>;

export function shown<One>(sentence: string, shows: (one: One) => Promise<void>): Shown<One> {
  return { sentence, shows };
}

/** What the one core decides, whichever the CRM. */
const ofTheCore: readonly string[] = [
  'replay',
  'rate limit',
  'time-out',
  'reset after commit',
  'provider down',
] satisfies Case[];
const oneIn = 4;

/** Of each case `npm test` tries a few CRM systems, and the full run all. */
function tagsOf(crm: FakedCrm, name: string): string[] {
  const caseIndex = ofTheCore.indexOf(name);
  return caseIndex < 0 || (crms.indexOf(crm) + caseIndex) % oneIn === 0 ? [] : ['full'];
}

type Moved = Clock & { advance(ms: number): Promise<void> };

/**
 * Tries one ability in all CRM systems: at one gateway, each cell with a company and a CRM of its own.
 * @param beside what is shown of this ability besides
 * @param agents of each company
 */
export function tryAbility<C extends Moved>(
  ability: (typeof abilities)[number] | 'connecting',
  {
    cells,
    beside = [],
    createClock,
    agents = 0,
  }: { cells: Cells<AtCrm<C>> | null; beside?: Shown<AtCrm<C>>[]; createClock: () => C; agents?: number },
): void {
  describe(`${ability}:`, () => {
    let room: CrmRoom<C>;
    beforeAll(async () => {
      room = await CrmRoom.open(createClock());
    });
    afterAll(() => room.close());

    const cellsOf = (crm: FakedCrm) =>
      Object.entries(cells ?? {}).map(([name, cell]) => ({
        name,
        cell: typeof cell === 'function' ? cell(crm) : cell,
      }));

    it.each(cells === null ? [] : crms)(
      'every case has a sentence in $name, or a reason why it cannot happen',
      (crm) => {
        const told = cellsOf(crm);
        expect(told.map(({ name }) => name)).toEqual(cases);
        const texts = told.map(({ cell }) => ('never' in cell ? cell.never : cell.sentence));
        for (const text of texts) expect(text).toMatch(/^\S.{10}/);
        expect(new Set(texts).size).toBe(cases.length);
      },
    );

    describe.each(crms)('$name', (crm) => {
      let one: AtCrm<C>;
      beforeEach(async () => {
        one = await room.company(crm, { agents });
      });
      afterEach(() => one.close());

      const tried = cellsOf(crm).flatMap(({ name, cell }) =>
        'never' in cell ? [] : [{ ...cell, sentence: `${cell.sentence} (${name})`, tags: tagsOf(crm, name) }],
      );
      for (const { sentence, tags, shows } of [...tried, ...beside.map((each) => ({ ...each, tags: [] }))])
        it(`${sentence}`, { tags }, () => shows(one));
    });
  });
}
