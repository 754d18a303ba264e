import { describe, expect, it } from 'vitest';
import { asSentence } from '../../src/domain/outcome.ts';

describe('the words of a CRM as a sentence', () => {
  it.each([
    ['Invalid grant: refresh_token is invalid', 'Invalid grant: refresh_token is invalid.'],
    ['The token has expired.', 'The token has expired.'],
    ['Who are you?', 'Who are you?'],
    ['It said “no.”', 'It said “no.”'],
    ['unknown column (u_phone)', 'unknown column (u_phone).'],
    ['Bad request:', 'Bad request.'],
    ['  INVALID_SESSION_ID ', 'INVALID_SESSION_ID.'],
    ['', ''],
  ])('ends once: %j', (words, sentence) => {
    expect(asSentence(words)).toBe(sentence);
  });
});
