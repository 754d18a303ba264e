import { readFileSync } from 'node:fs';
import { verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import { expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';
import { signDelivery } from '../../src/domain/webhookSignature.ts';
import { verify } from '../../src/webhooks/verify.ts';

const guide = readFileSync(`${root}docs/integrating/webhooks.md`, 'utf8');

it('the guide shows the Express receiver that is tested, with the import of who installed the package', () => {
  const source = readFileSync(`${root}demo/expressReceiver.ts`, 'utf8');
  const [, shown = ''] = /(\/\*\* Takes webhooks [^]*\n\}\n)\nrunCommand/.exec(source) ?? [];
  expect(shown).toContain('function createReceiver');
  const imports =
    "import express, { type Express } from 'express';\nimport { verify, type Webhook } from '@readyline/webhooks';\n";
  expect(guide).toContain(`\`\`\`ts\n${imports}\n${shown}\`\`\``);
});

it('the guide’s values for checking one’s own code are right', async () => {
  const told = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(guide)?.[1] ?? '';
  const [secret, body, deliveryId] = [told('secret'), told('body'), told('webhook-id')];
  const headers = {
    'X-Service-Signature': told('X-Service-Signature'),
    'webhook-id': deliveryId,
    'webhook-timestamp': told('webhook-timestamp'),
    'webhook-signature': told('webhook-signature'),
  };
  const timestampSeconds = Number(headers['webhook-timestamp']);
  expect(signDelivery({ secret, previousSecret: null, body, deliveryId, timestampSeconds })).toEqual(headers);
  expect(await verifyAsGitHub(secret, body, headers['X-Service-Signature'])).toBe(true);
  // Genuine, though no whole webhook.
  expect(verify(body, headers, secret, { toleranceSeconds: Infinity })).toMatchObject({ reason: 'malformed_body' });
});
