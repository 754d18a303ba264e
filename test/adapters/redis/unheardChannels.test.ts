import { expect, it } from 'vitest';
import { createUnheardChannels } from '../../../src/adapters/redis/unheardChannels.ts';

it('believes for five seconds from what was sent that nobody hears a channel, and not when somebody did', () => {
  let now = 1;
  const unheard = createUnheardChannels(() => now);
  const sent = unheard.sending('acme');
  now = 1_001;
  sent(0);
  unheard.sending('other')(0);
  unheard.sending('other')(1);
  expect([unheard.has('acme'), unheard.has('other')]).toEqual([true, false]);
  now = 5_001;
  expect(unheard.has('acme')).toBe(true);
  now = 5_002;
  expect(unheard.has('acme')).toBe(false);
});

it.each([
  { what: 'this one', told: 'acme' },
  { what: 'any', told: null },
])('does not believe what was sent before somebody began to hear $what', ({ told }) => {
  const unheard = createUnheardChannels();
  unheard.sending('acme')(0);
  const sent = unheard.sending('acme');
  unheard.forget(told);
  sent(0);
  expect(unheard.has('acme')).toBe(false);
  unheard.sending('acme')(0);
  expect(unheard.has('acme')).toBe(true);
});
