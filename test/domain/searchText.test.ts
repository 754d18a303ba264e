import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsNear, typoPattern } from '../../src/domain/searchText.ts';

/** As the database reads it, of a text with a space at both ends. */
function isNear(text: string, typed: string): boolean {
  const pattern = typoPattern(typed);
  return pattern !== null && new RegExp(pattern, 'u').test(` ${text} `);
}

const letters = fc.constantFrom('a', 'b', 'c', 'n');
const word = fc.array(letters, { minLength: 1, maxLength: 16 }).map((list) => list.join(''));

it('takes for near what the database takes for near', () => {
  const edited = word.chain((typed) =>
    fc
      .tuple(fc.nat(typed.length), letters, fc.constantFrom('wrong', 'more', 'less', 'over', 'end', 'two'))
      .map(([at, letter, how]) => {
        const [before, after] = [typed.slice(0, at), typed.slice(at)];
        switch (how) {
          case 'wrong':
            return [typed, before + letter + after.slice(1)] as const;
          case 'more':
            return [typed, before + letter + after] as const;
          case 'less':
            return [typed, before + after.slice(1)] as const;
          case 'over':
            return [typed, before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2)] as const;
          case 'end':
            return [typed, typed + letter + letter] as const;
          default:
            return [typed, letter + before + letter + after.slice(1)] as const;
        }
      }),
  );
  fc.assert(
    fc.property(edited, word, ([typed, near], other) => {
      for (const text of [near, `${other} ${near}`, `${near} ${other}`, other]) {
        expect(holdsNear(text, typed), `${typed} in ${text}`).toBe(isNear(text, typed));
      }
    }),
    { numRuns: 2_000 },
  );
});
