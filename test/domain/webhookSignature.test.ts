import { randomUUID } from 'node:crypto';
import { verify } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '../../src/adapters/crypto/issuedSecrets.ts';
import { signDelivery, webhookSecretOf } from '../../src/domain/webhookSignature.ts';

const timestampSeconds = Math.floor(Date.now() / 1000);

function sign(body: string, secret: string, previousSecret: string | null = null) {
  return { ...signDelivery({ secret, previousSecret, body, deliveryId: randomUUID(), timestampSeconds }) };
}

describe('a signed delivery', () => {
  it('is verified unchanged by the libraries that receivers use', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        const secret = newWebhookSecret();
        const headers = sign(body, secret);
        expect(await verify(secret, body, headers['X-Service-Signature'])).toBe(true);
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('is verified byte for byte, beyond ASCII too', async () => {
    const secret = newWebhookSecret();
    const body = '{"name":"Zoë 😀 \\u0000 \u2028"}';
    const headers = sign(body, secret);
    expect(await verify(secret, body, headers['X-Service-Signature'])).toBe(true);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('is refused when body, secret, id or time was changed', async () => {
    const secret = newWebhookSecret();
    const body = '{"event":"call_started"}';
    const headers = sign(body, secret);
    expect(await verify(secret, `${body} `, headers['X-Service-Signature'])).toBe(false);
    expect(await verify(newWebhookSecret(), body, headers['X-Service-Signature'])).toBe(false);
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(`${body} `, headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': randomUUID() })).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': String(timestampSeconds - 1) })).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  });

  it('has the forms that the interface names', () => {
    const headers = signDelivery({
      secret: newWebhookSecret(),
      previousSecret: null,
      body: '{}',
      deliveryId: 'id',
      timestampSeconds: 7.9,
    });
    expect(headers['X-Service-Signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(headers).toMatchObject({ 'webhook-id': 'id', 'webhook-timestamp': '7' });
    expect(headers).not.toHaveProperty('X-Service-Signature-Previous');
  });

  it('matches a signature computed elsewhere (openssl)', () => {
    const secret = webhookSecretOf(Buffer.alloc(32, 1));
    const headers = signDelivery({
      secret,
      previousSecret: null,
      body: '{"a":1}',
      deliveryId: 'msg_1',
      timestampSeconds: 1_700_000_000,
    });
    expect(headers['X-Service-Signature']).toBe(
      'sha256=d224fdc226cc93003692f2fbdac7890fb80fae4ab9a2c1330b153afbf41fd9b5',
    );
    expect(headers['webhook-signature']).toBe('v1,3tN+SMwreJINGaFSPFdhMpE4XGSVaCkC9ee+KquMGGQ=');
  });

  it.each(['', 'whsec_', 'secret', 'whsec_not base64', 'whsec_abc'])(
    'is not made with the malformed secret "%s"',
    (secret) => {
      expect(() => sign('{}', secret)).toThrow('malformed');
      expect(() => sign('{}', newWebhookSecret(), secret)).toThrow('malformed');
    },
  );
});

describe('a delivery signed while a rotation overlaps', () => {
  it('carries the signatures of the new and of the previous secret, the new one first', () => {
    const [secret, previous] = [newWebhookSecret(), newWebhookSecret()];
    const delivery = { body: '{"a":1}', deliveryId: 'msg_1', timestampSeconds };
    const ofNew = signDelivery({ ...delivery, secret, previousSecret: null });
    const ofPrevious = signDelivery({ ...delivery, secret: previous, previousSecret: null });
    expect(signDelivery({ ...delivery, secret, previousSecret: previous })).toEqual({
      ...ofNew,
      'X-Service-Signature-Previous': ofPrevious['X-Service-Signature'],
      'webhook-signature': `${ofNew['webhook-signature']} ${ofPrevious['webhook-signature']}`,
    });
  });
});

describe('a webhook secret', () => {
  it('is whsec_ and 32 bytes in base64, another one each time', () => {
    const secrets = new Set(Array.from({ length: 100 }, newWebhookSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });

  it('is not made of fewer bytes', () => {
    expect(() => webhookSecretOf(Buffer.alloc(31))).toThrow('32 bytes');
  });
});
