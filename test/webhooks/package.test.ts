import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, startProgram } from '../../demo/cluster/program.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

describe('an installed checkout, as integrators used it before there were packages', () => {
  let project: string;
  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'readyline-receiver-'));
    await mkdir(join(project, 'node_modules'));
    await symlink(root, join(project, 'node_modules/readyline'));
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
  });
  afterEach(() => rm(project, { recursive: true, force: true }));

  it('goes on giving them client, watcher, embed and webhooks', async () => {
    const [webhook] = webhookOfEachEvent;
    const { body, headers, secret, deliveryId } = signedWebhook(webhook!);
    const program = `import { Softphone, SoftphoneRefusal, crmFields } from 'readyline/client';
      import { Watcher } from 'readyline/watcher';
      import { DialRefused, embedSoftphone } from 'readyline/embed';
      import { verify } from 'readyline/webhooks';
      const [body, headers, secret] = ${JSON.stringify([body, headers, secret])};
      console.log(JSON.stringify([
        [Softphone, SoftphoneRefusal, crmFields, Watcher, DialRefused, embedSoftphone].map((part) => typeof part),
        verify(body, headers, secret),
      ]));`;
    await writeFile(join(project, 'receiver.js'), program);
    const { stdout, stderr } = await startProgram(process.execPath, ['receiver.js'], { cwd: project }).ended;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject([Array(6).fill('function'), { kind: 'verified', deliveryId, webhook }]);
  });
});
