import { verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '../../src/adapters/crypto/issuedSecrets.ts';
import { webhookEvents } from '../../src/contract/vocabulary.ts';
import { verify } from '../../src/webhooks/verify.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

const [newSecret, oldSecret] = [newWebhookSecret(), newWebhookSecret()];
const rotating = { secret: newSecret, previousSecret: oldSecret };

it('stands for every event that there is', () => {
  expect(webhookOfEachEvent.map(({ event }) => event).toSorted()).toEqual([...webhookEvents].toSorted());
});

describe.each(webhookOfEachEvent)('a webhook of $event', (webhook) => {
  it('is verified by the toolkit, and says what was sent', () => {
    const { body, headers, secret, deliveryId, at } = signedWebhook(webhook);
    const expected = { kind: 'verified', webhook, deliveryId, attempt: 2, sentAt: at };
    expect(verify(body, headers, secret)).toEqual(expected);
    expect(verify(Buffer.from(body), headers, secret)).toEqual(expected);
  });

  it('is verified by the libraries that receivers use, unchanged', async () => {
    const { body, headers, secret } = signedWebhook(webhook);
    expect(await verifyAsGitHub(secret, body, String(headers['X-Service-Signature']))).toBe(true);
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(webhook);
  });

  describe('sent while the secret is rotated', () => {
    const { body, headers } = signedWebhook(webhook, rotating);

    it.each([
      ['the new secret', newSecret],
      ['the old secret', oldSecret],
      ['both', [newSecret, oldSecret]],
      ['both, the old one first', [oldSecret, newSecret]],
    ])('is verified by the toolkit with %s', (_, secret) => {
      expect(verify(body, headers, secret)).toMatchObject({ kind: 'verified', webhook });
    });

    it.each([
      ['new', newSecret, 'X-Service-Signature'],
      ['old', oldSecret, 'X-Service-Signature-Previous'],
    ])('is verified by the libraries with the %s secret', async (_, secret, header) => {
      expect(await verifyAsGitHub(secret, body, String(headers[header]))).toBe(true);
      expect(new StandardWebhook(secret).verify(body, headers)).toEqual(webhook);
    });

    it('is not verified by anybody with the secret before those two', async () => {
      const older = newWebhookSecret();
      expect(verify(body, headers, older)).toMatchObject({ kind: 'refused', reason: 'wrong_signature' });
      for (const header of ['X-Service-Signature', 'X-Service-Signature-Previous']) {
        expect(await verifyAsGitHub(older, body, String(headers[header]))).toBe(false);
      }
      expect(() => new StandardWebhook(older).verify(body, headers)).toThrow();
    });
  });

  it('is refused with the old secret when the rotation is over', () => {
    const { body, headers } = signedWebhook(webhook, { secret: newSecret });
    expect(headers).not.toHaveProperty('X-Service-Signature-Previous');
    expect(verify(body, headers, oldSecret)).toMatchObject({ kind: 'refused', reason: 'wrong_signature' });
    expect(verify(body, headers, [oldSecret, newSecret])).toMatchObject({ kind: 'verified' });
  });
});
