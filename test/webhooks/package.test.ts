import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, startProgram } from '../../demo/cluster/program.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/signedWebhooks.ts';

/** What a module and those it imports import from elsewhere. */
async function importsOf(file: string, seen = new Set<string>()): Promise<Set<string>> {
  const foreign = new Set<string>();
  if (seen.has(file)) return foreign;
  seen.add(file);
  for (const [, from = ''] of (await readFile(file, 'utf8')).matchAll(/^(?:import|export) [^;]*?from '([^']+)';$/gm)) {
    if (!from.startsWith('.')) foreign.add(from);
    else for (const one of await importsOf(fileURLToPath(new URL(from, pathToFileURL(file))), seen)) foreign.add(one);
  }
  return foreign;
}

describe('readyline/webhooks, as it was built', { timeout: 60_000 }, () => {
  let project: string;
  /** A project of somebody who has installed the package by its path. */
  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'readyline-receiver-'));
    await mkdir(join(project, 'node_modules'));
    await symlink(root, join(project, 'node_modules/readyline'));
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
  });
  afterEach(() => rm(project, { recursive: true, force: true }));

  it('verifies from plain JavaScript', async () => {
    const [webhook] = webhookOfEachEvent;
    const { body, headers, secret, deliveryId } = signedWebhook(webhook!);
    const program = `import { verify } from 'readyline/webhooks';
      const [body, headers, secret] = ${JSON.stringify([body, headers, secret])};
      console.log(JSON.stringify([verify(body, headers, secret), verify(body + ' ', headers, secret)]));`;
    await writeFile(join(project, 'receiver.js'), program);
    const { stdout, stderr } = await startProgram(process.execPath, ['receiver.js'], { cwd: project }).ended;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'verified', deliveryId, webhook }, { reason: 'wrong_signature' }]);
  });

  it('needs nothing but node:crypto', async () => {
    const webhooks = fileURLToPath(import.meta.resolve('readyline/webhooks'));
    expect(webhooks).toBe(join(root, 'dist/webhooks/verify.js'));
    expect([...(await importsOf(webhooks))]).toEqual(['node:crypto']);
  });

  it('has types that a strict project understands, and that refuse what is wrong', async () => {
    const program = `import { verify, type WebhookOf } from 'readyline/webhooks';
      export function receive(body: Uint8Array, request: Request): string | null {
        const verification = verify(body, request.headers, ['whsec_AAAA']);
        if (verification.kind === 'refused') return verification.detail;
        const { webhook } = verification;
        // @ts-expect-error Not every event is of a call.
        webhook.data.call_id.length;
        switch (webhook.event) {
          case 'disposition':
            return show(webhook);
          case 'call_started':
            return webhook.data.direction;
          case 'unknown':
            return webhook.event_name;
          default:
            return null;
        }
      }
      function show({ data }: WebhookOf<'disposition'>): 'completed' | 'other' {
        return data.end_reason === 'completed' ? 'completed' : 'other';
      }
      // @ts-expect-error A parsed body is no raw body.
      verify({ event: 'call_started' }, {}, 'whsec_AAAA');`;
    await writeFile(join(project, 'receiver.ts'), program);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', ''];
    const { stdout, code } = await startProgram(process.execPath, [tsc, ...options, 'receiver.ts'], { cwd: project }).ended;
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });
});
