import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '../../src/adapters/crypto/issuedSecrets.ts';
import { verify } from '../../src/webhooks/verify.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

const [, webhook] = webhookOfEachEvent;
if (webhook === undefined) throw new Error('there are events');
const signed = signedWebhook(webhook);
const { body, headers, secret } = signed;
const signature = String(headers['webhook-signature']);
const wrongSignature = { kind: 'refused', reason: 'wrong_signature' };

describe('a webhook that was tampered with', () => {
  it('is refused when any byte of the body changed', () => {
    const bytes = Buffer.from(body);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const changed = Buffer.from(bytes);
        changed[index]! ^= flip;
        expect(verify(changed, headers, secret)).toMatchObject(wrongSignature);
      }),
    );
  });

  it.each([
    ['a space more', `${body} `],
    ['parsed and written again, prettier', JSON.stringify(JSON.parse(body), null, 2)],
    ['a byte order mark', `\u{FEFF}${body}`],
    ['cut short', body.slice(0, -1)],
  ])('is refused when the body is not byte for byte what was sent: %s', (_, changed) => {
    expect(verify(changed, headers, secret)).toMatchObject({
      ...wrongSignature,
      detail: expect.stringContaining('raw bytes'),
    });
  });

  it('is refused when the body is gone, and says where it may be', () => {
    for (const nothing of ['', Buffer.alloc(0), undefined, null]) {
      expect(verify(nothing, headers, secret)).toMatchObject({
        ...wrongSignature,
        detail: expect.stringContaining('express.raw'),
      });
    }
  });

  it('is refused under another id or time, and says that body and secret are right', () => {
    const seconds = Number(headers['webhook-timestamp']);
    for (const changed of [
      { 'webhook-id': randomUUID() },
      { 'webhook-id': `${signed.deliveryId}, ${signed.deliveryId}` },
      { 'webhook-timestamp': String(seconds + 1) },
      { 'webhook-timestamp': `0${String(seconds)}` },
    ]) {
      const refused = verify(body, { ...headers, ...changed }, secret);
      expect(refused).toMatchObject({
        ...wrongSignature,
        detail: expect.stringContaining('Secret and body are right'),
      });
    }
  });

  it('is refused when the signature of another webhook is put to it', () => {
    const other = signedWebhook('{"event":"other"}', { secret });
    expect(verify(body, other.headers, secret)).toMatchObject(wrongSignature);
    expect(verify(other.body, headers, secret)).toMatchObject(wrongSignature);
  });

  it('is refused with two ids, of which one is right', () => {
    const twice = { ...headers, 'webhook-id': [signed.deliveryId, randomUUID()] };
    expect(verify(body, twice, secret)).toMatchObject({ kind: 'refused', reason: 'malformed_header' });
    const inTwoCases = { ...headers, 'Webhook-Id': randomUUID() };
    expect(verify(body, inTwoCases, secret)).toMatchObject({ kind: 'refused', reason: 'malformed_header' });
  });
});

describe('a signature that nobody made', () => {
  it.each([
    ['cut short', signature.slice(0, -1)],
    ['longer by one', `${signature}A`],
    ['without its version', signature.slice(3)],
    ['of an older version', signature.replace('v1', 'v0')],
    ['in upper case', signature.toUpperCase()],
    ['in the URL form of base64', `v1,${randomBytes(32).toString('base64url')}=`],
    ['the version alone', 'v1,'],
    ['another one as long', `v1,${randomBytes(32).toString('base64')}`],
    ['as long, but not in ASCII', `v1,${'é'.repeat(44)}`],
    ['as many bytes, but fewer characters', `v1,${'é'.repeat(22)}`],
    ['half a surrogate pair', `v1,${'\u{D800}'.repeat(44)}`],
    ['commas', ','.repeat(10_000)],
    ['zeros', `v1,${'\0'.repeat(44)}`],
    ['its digits in hex', `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`],
    ['the other header’s', String(headers['X-Service-Signature'])],
  ])('is refused: %s', (_, forged) => {
    expect(verify(body, { ...headers, 'webhook-signature': forged }, secret)).toMatchObject(wrongSignature);
  });

  it('is refused though X-Service-Signature is right, for that one covers no time', () => {
    const stripped = { 'X-Service-Signature': String(headers['X-Service-Signature']) };
    expect(verify(body, stripped, secret)).toMatchObject({ kind: 'refused', reason: 'missing_signature' });
  });

  it('is refused when it was made with the secret as it is written, not as it is decoded', () => {
    const withText = signedWebhook(webhook, { secret: `whsec_${Buffer.from(secret).toString('base64')}` });
    expect(verify(body, withText.headers, secret)).toMatchObject(wrongSignature);
  });
});

describe('headers without end', () => {
  it('hide no signature within the 16 KiB that are looked at', () => {
    const wrong = `v1,${randomBytes(32).toString('base64')} `;
    expect(verify(body, { ...headers, 'webhook-signature': `${wrong.repeat(300)}${signature}` }, secret)).toMatchObject(
      {
        kind: 'verified',
      },
    );
    expect(verify(body, { ...headers, 'webhook-signature': wrong.repeat(300) }, secret)).toMatchObject(wrongSignature);
  });

  it.each([signature, ' ', ',', 'v1,', '=', '7', '\u{10FFFF}'])(
    'made of %j again and again are refused by their length',
    (part) => {
      const huge = part.repeat(100_000);
      for (const name of ['webhook-signature', 'webhook-id', 'webhook-timestamp']) {
        for (const given of [huge, huge.slice(0, 16_385), Array.from({ length: 20_000 }, () => part)]) {
          const refused = verify(body, { ...headers, [name]: given }, secret);
          expect(refused).toMatchObject({
            reason: 'malformed_header',
            detail: `The header ${name} is longer than 16384 characters.`,
          });
        }
      }
    },
  );

  it('may be very many', () => {
    const crowd = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`x-${String(n)}`, 'x']));
    expect(verify(body, { ...crowd, ...headers }, secret)).toMatchObject({ kind: 'verified' });
  });
});

it('answers whatever a stranger sends with a refusal and a sentence, never with an exception', () => {
  const name = fc.oneof(fc.constantFrom(...Object.keys(headers), '__proto__', 'get', 'constructor'), fc.string());
  const value = fc.oneof(
    fc.constantFrom(...Object.values(headers)),
    fc.string({ unit: 'binary' }),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.constant(undefined),
  );
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const strangers = fc.record({
    sent: fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array(), fc.constant(undefined)),
    given: fc.dictionary(name, value),
  });
  fc.assert(
    fc.property(strangers, ({ sent, given }) => {
      const verification = verify(sent, { ...headers, ...given }, secrets);
      if (verification.kind === 'verified') throw new Error('a stranger was believed');
      expect(verification.detail).toMatch(/^[A-Z].*\.$/s);
    }),
  );
});
