import type { Chance } from '../../../support/sip/fuzz/chance.ts';
import type { Beginning, Talk, Trouble, Vain } from './soloCourses.ts';
import type { Aftermath, HandOn } from './transferCourses.ts';
import type { Beside } from './twoCallCourses.ts';

/** What one agent does alone. */
export type Solo =
  | ({ kind: 'talk' } & Talk)
  | { kind: 'in vain'; begins: 'click' | 'hand'; how: Vain }
  | { kind: 'rings in vain'; how: 'declined' | 'missed' }
  | { kind: 'beside'; begins: Beginning; what: Beside }
  | { kind: 'to a number'; begins: Beginning };

/** What takes both agents; the one who hands on is `from`. */
export type Joint = { from: 'ada' | 'ben'; begins: Beginning; how: HandOn; aftermath: Aftermath };

/** Both agents work side by side; then one hands a call on to the other. */
export type Spell = { ada: Solo[]; ben: Solo[]; joint: Joint | null };

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

/** What happens in every shift, whatever its seed: 60 calls with customers, of which each has one talk at most. */
const troubles: Trouble[] = [
  ...times(2, 'reload' as const),
  ...times(2, 'reload on hold' as const),
  ...times(4, 'no gateway' as const),
  ...times(3, 'no network' as const),
  ...times(3, 'no PBX' as const),
  ...times(2, 'no sound' as const),
  ...times(11, 'none' as const),
];
/** In turn, so that each trouble meets all that there are talks for. */
const endings: Talk['ends'][] = ['agent', 'customer', 'customer meanwhile'];
const inVain: Vain[] = [
  ...times(2, 'busy' as const),
  ...times(2, 'no answer' as const),
  ...times(2, 'declined' as const),
  'customer unavailable',
  ...times(3, 'agent hangs up' as const),
];
const ringsInVain = [...times(3, 'missed' as const), ...times(2, 'declined' as const)];
/** Two customers each. */
const besides: Beside[] = [...times(2, 'answered' as const), 'declined', 'given up'];
const toNumbers = 2;
const joints: (HandOn | { how: HandOn; aftermath: Aftermath })[] = [
  'at once',
  { how: 'at once', aftermath: 'reload' },
  { how: 'at once', aftermath: 'no gateway' },
  'asked first',
  { how: 'asked first', aftermath: 'reload' },
  { how: 'asked first', aftermath: 'no PBX' },
  'taken back',
  'declined',
];
const beginnings: Beginning[] = ['click', 'hand', 'ring', 'ring'];

/** Conversations of that course, each with one customer. */
export const callsPlanned =
  troubles.length + inVain.length + ringsInVain.length + 2 * besides.length + toNumbers + joints.length;

/** The course of a shift: what happens is the same each time, in which order and to whom is chance. */
export function planShift(chance: Chance): Spell[] {
  const solos = chance.shuffled<Solo>([
    ...troubles.map((trouble, index) => talkWith(trouble, endings[index % endings.length] ?? 'agent', chance)),
    ...inVain.map((how) => ({ kind: 'in vain' as const, begins: chance.of(['click', 'hand'] as const), how })),
    ...ringsInVain.map((how) => ({ kind: 'rings in vain' as const, how })),
    ...besides.map((what) => ({ kind: 'beside' as const, begins: chance.of(beginnings), what })),
    ...times(toNumbers, null).map(() => ({ kind: 'to a number' as const, begins: chance.of(beginnings) })),
  ]);
  const spells = chance.shuffled(joints).map((one) => ({ ada: [], ben: [], joint: jointOf(one, chance) }) as Spell);
  spells.push({ ada: [], ben: [], joint: null });
  solos.forEach((solo, index) => {
    const spell = spells[index % spells.length];
    // Ada's page is never loaded anew: it shows what a whole shift leaves behind.
    const isBens = solo.kind === 'talk' && solo.trouble.startsWith('reload');
    const least = spell !== undefined && spell.ada.length <= spell.ben.length ? 'ada' : 'ben';
    spell?.[isBens ? 'ben' : least].push(solo);
  });
  return spells;
}

function talkWith(trouble: Trouble, ends: Talk['ends'], chance: Chance): Solo {
  return {
    kind: 'talk',
    begins: chance.of(beginnings),
    holds: chance.below(3),
    trouble,
    ends,
  };
}

function jointOf(one: HandOn | { how: HandOn; aftermath: Aftermath }, chance: Chance): Joint {
  const { how, aftermath } = typeof one === 'string' ? { how: one, aftermath: 'none' as const } : one;
  const from = aftermath === 'reload' ? 'ada' : chance.of(['ada', 'ben'] as const);
  return { from, begins: chance.of(beginnings), how, aftermath };
}
