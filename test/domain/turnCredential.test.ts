import { describe, expect, it } from 'vitest';
import { turnCredentialOf } from '../../src/domain/turnCredential.ts';

const agent = '01a1fd9a-df84-76de-b312-4c71c7114efc';
const newYear = Date.parse('2026-01-01T00:00:00.999Z');

describe('a credential for a TURN server', () => {
  // Made by `printf '%s' "$username" | openssl dgst -sha1 -hmac "$secret" -binary | base64`.
  it.each([
    ['north', 'MP0uJatTa3emWZEQYi8sFunbPqk='],
    ['Schlüssel', 'da6vwMfqEpGjYGN0jk68GGL3m5U='],
  ])('is what coturn expects with the secret %s, for 12 hours', (secret, credential) => {
    expect(turnCredentialOf(secret, agent, newYear)).toEqual({
      username: `1767268800:${agent}`,
      credential,
      expires_at: '2026-01-01T12:00:00.000Z',
    });
  });
});
