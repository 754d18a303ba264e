import { describe, expect, it } from 'vitest';
import { type CallTag, readTags, sameTags, tagKey } from '../../src/domain/tags.ts';

const tags = [
  { code: 'price', label: 'Price' },
  { code: 'complaint', label: 'Beschwerde' },
];
const bound = { tags, free_tags: false };
const free = { tags, free_tags: true };
const price: CallTag = { code: 'price', label: 'Price' };
const hurry: CallTag = { code: null, label: 'In a hurry' };

describe('tags that somebody chose', () => {
  it('are the company’s, by their code or what they are called, each once and in that order', () => {
    expect(readTags(['complaint', 'price'], bound, [])).toEqual([{ code: 'complaint', label: 'Beschwerde' }, price]);
    expect(readTags([' BESCHWERDE ', 'Price', 'price'], bound, [])).toEqual([
      { code: 'complaint', label: 'Beschwerde' },
      price,
    ]);
  });

  it('are words of the agent’s own only where the company allows it, in one line and each once, whatever its case', () => {
    expect(readTags(['price', 'In a hurry'], bound, [])).toBeNull();
    expect(readTags(['In  a\u00a0hurry', 'in a HURRY', 'price'], free, [])).toEqual([hurry, price]);
  });

  it('may be such as the call has already, though the company has them no more', () => {
    const gone: CallTag = { code: 'spring', label: 'Spring' };
    expect(readTags(['spring', 'price', 'in a hurry'], bound, [gone, hurry])).toEqual([gone, price, hurry]);
    expect(readTags(['Spring'], bound, [gone])).toEqual([gone]);
    expect(readTags(['spring'], bound, [])).toBeNull();
  });

  it('of which one may not be chosen are none, and none are none', () => {
    expect(readTags(['price', 'nobodys'], bound, [])).toBeNull();
    expect(readTags([], bound, [price])).toEqual([]);
  });
});

describe('two tags', () => {
  it('are compared by their code, or by words without case and forms of letters', () => {
    expect([tagKey(price), tagKey(hurry), tagKey({ code: null, label: 'ＩＮ A hurry' })]).toEqual([
      'price',
      'in a hurry',
      'in a hurry',
    ]);
    expect(
      sameTags(
        [price, hurry],
        [
          { code: 'price', label: 'Was called so' },
          { code: null, label: 'in a hurry' },
        ],
      ),
    ).toBe(true);
    for (const others of [[price], [hurry, price], [price, hurry, price], []])
      expect(sameTags([price, hurry], others)).toBe(false);
  });
});
