import { describe, expect, it } from 'vitest';
import { updateCompanyRequest } from '../../src/contract/companies.ts';
import {
  chooseSettings,
  type ChosenSettings,
  givenSettings,
  settingsFrom,
  shownSettings,
  usualSettings,
} from '../../src/contract/companySettings.ts';

describe('the settings of a company', () => {
  it('hold as they are described where nobody chose, and what is usual is what may be given and is shown', () => {
    expect(settingsFrom({})).toEqual(usualSettings);
    expect(Object.keys(usualSettings)).toEqual(Object.keys(givenSettings));
    for (const [key, value] of Object.entries(usualSettings)) {
      expect(shownSettings[key as keyof typeof shownSettings].safeParse(value).data, key).toEqual(value);
      expect(givenSettings[key as keyof typeof givenSettings].safeParse(value).data, key).toEqual(value);
    }
  });

  it('keep what was chosen, and no more: a usual value may become another', () => {
    const chosen = chooseSettings({ wrap_up_seconds: 5 }, { free_tags: true, tags: undefined });
    expect(chosen).toEqual({ wrap_up_seconds: 5, free_tags: true });
    expect(settingsFrom(chosen)).toEqual({ ...usualSettings, ...chosen });
  });

  it('change lists as a whole, and limits of the wallboard one by one', () => {
    const tags = [{ code: 'vip', label: 'VIP' }];
    expect(chooseSettings({ tags: [{ code: 'old', label: 'Old' }] }, { tags })).toEqual({ tags });
    const limited = chooseSettings(
      {},
      { wallboard_limits: { nobody_ready_seconds: null, wrap_up_seconds: undefined } },
    );
    expect(limited).toEqual({ wallboard_limits: { ...usualSettings.wallboard_limits, nobody_ready_seconds: null } });
  });

  it('show nothing that this version does not know, and keep it for the version that does', () => {
    const newer = { from_tomorrow: 1, free_tags: true } as ChosenSettings;
    expect(settingsFrom(newer)).toEqual({ ...usualSettings, free_tags: true });
    expect(chooseSettings(newer, { preview_dial: true })).toEqual({ ...newer, preview_dial: true });
  });

  it.each([
    ['a null leaves a setting as it is', { wrap_up_seconds: null, tags: null }, {}],
    ['but is a value of the language', { language: null }, { language: null }],
    [
      'a disposition says whether it needs a time',
      {
        dispositions: [
          { code: 'callback', label: 'C' },
          { code: 'sold', label: 'S', requires_callback_at: null },
        ],
      },
      {
        dispositions: [
          { code: 'callback', label: 'C', requires_callback_at: true },
          { code: 'sold', label: 'S', requires_callback_at: false },
        ],
      },
    ],
  ])('are read from a request: %s', (_, body, read) => {
    const { success, data } = updateCompanyRequest.safeParse(body);
    expect([
      success,
      Object.fromEntries(Object.entries(data ?? {}).filter(([, value]) => value !== undefined)),
    ]).toEqual([true, read]);
  });
});
