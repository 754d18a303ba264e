import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Program, root, startProgram } from '../../demo/cluster/program.ts';
import { newWebhookSecret } from '../../src/adapters/crypto/issuedSecrets.ts';
import { signedWebhook, type SignedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

const ofEvent = (name: string) => webhookOfEachEvent.find(({ event }) => event === name);
const [clickToDial, disposition, test] = ['cti_click_to_dial', 'disposition', 'integration_test'].map(ofEvent);
const secret = newWebhookSecret();
const running: Program[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop();
});

/** Starts a receiver on a free port; resolves with the URL that it names. */
async function start(file: string, ...args: string[]): Promise<{ program: Program; url: string }> {
  const program = startProgram(process.execPath, [
    join(root, 'scripts/run.mjs'),
    `demo/${file}`,
    '--port',
    '0',
    ...args,
  ]);
  running.push(program);
  const [, url = ''] = await program.says(/^Webhooks are welcome at (http:\S+)/m);
  return { program, url };
}

async function post(url: string, { body, headers }: Pick<SignedWebhook, 'body' | 'headers'>): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('npm run demo:receiver', () => {
  it('takes each delivery once, whichever of its secrets signed it, and refuses others with a reason', async () => {
    const old = newWebhookSecret();
    const { program, url } = await start('expressReceiver.ts', '--secret', secret, '--secret', old);
    const dispositionSent = signedWebhook(disposition!, { secret });
    expect(await post(url, dispositionSent)).toBe(204);
    expect(await post(url, dispositionSent)).toBe(204);
    expect(await post(url, signedWebhook(clickToDial!, { secret: newWebhookSecret(), previousSecret: old }))).toBe(204);
    expect(await post(url, { ...dispositionSent, body: dispositionSent.body.replace('callback', 'resolved') })).toBe(
      401,
    );
    expect(await post(url, { headers: { 'content-type': 'text/plain' }, body: 'good evening' })).toBe(401);
    const newer = JSON.stringify({ ...clickToDial, event: 'call_parked' });
    expect(await post(url, signedWebhook(newer, { secret }))).toBe(204);
    await program.says(/^call_parked is new$/m);
    expect(program.stdout.match(/^\w+: .*$/gm)).toEqual([
      'disposition: Call back after 4 s',
      expect.stringMatching(/^cti_click_to_dial: call [-0-9a-f]{36} with \+15551230001$/),
    ]);
    await program.says(/^wrong_signature: No secret fits/m);
    await program.says(/^missing_signature: /m);
  });

  it('takes a body that is larger than what Express takes by default', async () => {
    const { program, url } = await start('expressReceiver.ts', '--secret', secret);
    const large = { ...test!, notes: 'é'.repeat(600_000) };
    expect(await post(url, signedWebhook(large, { secret }))).toBe(204);
    await program.says(/^integration_test: asked for by admin$/m);
  });

  it('does not start without a secret, or with what is none', async () => {
    for (const args of [[], ['--secret', 'secret']]) {
      const { code, stderr } = await startProgram(process.execPath, [
        'scripts/run.mjs',
        'demo/expressReceiver.ts',
        ...args,
      ]).ended;
      expect(code).toBe(2);
      expect(stderr).toMatch(/^--secret( is missing\.|: The webhook secret must be)/);
    }
  });
});

describe('npm run webhook:listen', () => {
  it('prints what arrives, verified with any of its secrets, or why not', async () => {
    const old = newWebhookSecret();
    const { program, url } = await start('listen.ts', '--secret', secret, '--secret', old);
    const [first, second] = [signedWebhook(disposition!, { secret }), signedWebhook(test!, { secret: old })];
    expect(await post(url, first)).toBe(204);
    await program.says(
      new RegExp(`disposition +#3 +\\+15551230001 +a100 +verified +delivery ${first.deliveryId} +attempt 2\n`),
    );
    expect(await post(url, second)).toBe(204);
    await program.says(new RegExp(`integration_test +by admin +verified +delivery ${second.deliveryId} +attempt 2\n`));
    expect(await post(url, { ...first, body: `${first.body} ` })).toBe(401);
    await program.says(/refused \(wrong_signature\) .*\n +No secret fits/);
    expect(await post(url, { headers: {}, body: '{"event":"\\u001b[2J"}' })).toBe(400);
    await program.says(/POST \/ is no webhook: the body lacks company_id, occurred_at, data/);
    expect((await fetch(url)).status).toBe(405);
  });

  it('answers as it is told, checks nothing without a secret, and shows headers and body when asked', async () => {
    const { program, url } = await start('listen.ts', '--status', '503', '--verbose');
    expect(await post(url, { headers: { 'x-colour': 'blue' }, body: JSON.stringify(disposition) })).toBe(503);
    await program.says(
      /not checked +delivery without id +attempt \?\n[^]*^ +x-colour: blue$[^]*^ +"event": "disposition",$[^]*^ {2}}$/m,
    );
    expect(program.stdout).toContain('Signatures are not checked');
  });
});
