import { describe, expect, it } from 'vitest';
import { searchedNumbers } from '../../../src/domain/phones/searchedNumbers.ts';

const reversed = (text: string) => [...text].toReversed().join('');

describe('what is typed of a phone number', () => {
  it.each([null, 'DE', 'US'])('finds French numbers as they are written there, with default country %s', (country) => {
    for (const typed of ['06 28 11 22 33', '0628112233', '06 28', '(0)6 28 11']) {
      const { elsewhere } = searchedNumbers(typed, country) ?? expect.fail();
      expect([typed, elsewhere.some((prefix) => '+33628112233'.startsWith(prefix))]).toEqual([typed, true]);
    }
    expect(searchedNumbers('0628112233', country)?.reversedEnd).toBe(reversed('628112233'));
  });

  it('is looked for in the company’s own country first', () => {
    const { prefixes, elsewhere } = searchedNumbers('06 28', 'FR') ?? expect.fail();
    expect(prefixes).toEqual(['+33628']);
    expect(elsewhere).not.toContain('+33628');
    expect(elsewhere).toContain('+49628');
  });

  it('keeps the 0 where it is dialed behind the country code too, and looks nowhere where none is written', () => {
    const { elsewhere } = searchedNumbers('06 28', null) ?? expect.fail();
    expect(elsewhere).toContain('+390628');
    for (const none of ['+39628', '+1628', '+7628', '+330628']) expect(elsewhere).not.toContain(none);
  });

  it('has a country where one is written, and then the 0 in brackets counts for nothing', () => {
    for (const typed of ['+33 (0)6 28', '0033 (0) 6 28', '33 (0)6 28']) {
      expect(searchedNumbers(typed, 'DE')).toMatchObject({
        prefixes: expect.arrayContaining(['+33628']),
        elsewhere: [],
      });
    }
  });

  it('is no beginning in every country with two digits behind the 0', () => {
    expect(searchedNumbers('062', null)).toEqual({ prefixes: [], elsewhere: [], reversedEnd: null });
    expect(searchedNumbers('0042', null)).toMatchObject({ elsewhere: [], reversedEnd: '2400' });
    expect(searchedNumbers('0421', null)?.reversedEnd).toBe('1240');
  });
});
