import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { root } from '../../demo/cluster/program.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { IntegratorProject } from './installedPackages.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

type Manifest = {
  name: string;
  version: string;
  engines: object;
  dependencies?: Record<string, string>;
  exports: Record<string, unknown>;
};

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const prose = (path: string) => read(path).replaceAll(/\s+/g, ' ');
const manifestOf = (path: string) => JSON.parse(read(path)) as Manifest;
/** The example of a text that begins with its file's name. */
function exampleOf(text: string, file: string): string {
  const [, example = ''] = new RegExp(`\`\`\`js\\n(// ${file}\\n[^]*?)\`\`\``).exec(text) ?? [];
  expect(example, `the example ${file}`).not.toBe('');
  return example;
}

describe('the packages for integrators, installed into an empty project', () => {
  let project: IntegratorProject;
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway('memory');
    project = await IntegratorProject.create();
  });
  afterAll(async () => {
    await gateway.close();
    await project.remove();
  });

  const installed = (name: string) => join(project.folder, 'node_modules/@readyline', name);

  it('carry what they need and nothing of the server', async () => {
    const inModules = await readdir(join(project.folder, 'node_modules'));
    expect(inModules.filter((name) => !name.startsWith('.'))).toEqual([
      '@readyline',
      '@socket.io',
      'debug',
      'engine.io-client',
      'engine.io-parser',
      'ms',
      'socket.io-client',
      'socket.io-parser',
      'ws',
      'xmlhttprequest-ssl',
    ]);
    for (const name of ['client', 'webhooks']) {
      const files = await readdir(installed(name), { recursive: true });
      expect(files.filter((file) => !/^(dist|package\.json|README\.md|LICENSE)/.test(file))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
      for (const file of files.filter((path) => /\.(js|ts)$/.test(path))) {
        const text = await readFile(join(installed(name), file), 'utf8');
        const foreign = [...text.matchAll(/^(?:import|export) [^;]*?from ["']([^."'][^"']*)["'];$/gm)].map(
          ([, from]) => from,
        );
        const { dependencies = {} } = manifestOf(`packages/${name}/package.json`);
        expect(
          foreign.filter((from = '') => from !== 'node:crypto' && dependencies[from] === undefined),
          file,
        ).toEqual([]);
        expect(text, file).not.toMatch(/\bzod\b|\bimport\(/);
      }
    }
  });

  it('weigh what their guides say, and little', () => {
    const kilobytes = project.tarballs.map(
      (file) => [/readyline-(\w+)-/.exec(basename(file))?.[1], statSync(file).size / 1000] as const,
    );
    const bounds: Record<string, number> = { client: 60, webhooks: 12 };
    for (const [name = '', size] of kilobytes) {
      expect(size, name).toBeLessThan(bounds[name] ?? 0);
      expect(prose(`packages/${name}/README.md`)).toContain(`less than ${String(bounds[name])} kB`);
    }
    expect(kilobytes).toHaveLength(2);
    const compressed = gzipSync(readFileSync(join(installed('client'), 'dist/browser.js'))).length / 1000;
    expect(compressed).toBeLessThan(25);
    expect(prose('docs/integrating/softphone.md')).toContain('less than 25 kB compressed');
  });

  it('are of the gateway’s version, and need exactly what it is tested with', () => {
    const own = manifestOf('package.json');
    for (const name of ['client', 'webhooks']) {
      const { version, engines, dependencies = {} } = manifestOf(`packages/${name}/package.json`);
      expect({ version, engines }).toEqual({ version: own.version, engines: own.engines });
      for (const [dependency, wanted] of Object.entries(dependencies))
        expect(own.dependencies?.[dependency]).toBe(wanted);
    }
  });

  it('do the job of their READMEs: an agent is watched, dials on a click and wraps up, and verified webhooks tell of it', async () => {
    const clientReadme = await readFile(join(installed('client'), 'README.md'), 'utf8');
    const webhooksReadme = await readFile(join(installed('webhooks'), 'README.md'), 'utf8');
    await project.write('agent.mjs', exampleOf(clientReadme, 'agent.mjs'));
    await project.write('watch.mjs', exampleOf(clientReadme, 'watch.mjs'));
    await project.write('receiver.mjs', exampleOf(webhooksReadme, 'receiver.mjs'));
    const company = await gateway.company({ slug: 'packaged', agents: 1 });
    const [agent] = company.agents;
    const boss = await gateway.agent(company, 'boss', 'supervisor');
    const port = String(await freePort());
    const { body } = await gateway
      .as(company)
      .put('/api/integrations')
      .send({ webhook_url: `http://127.0.0.1:${port}/` })
      .expect(200);
    const customer = { phone_number: '+15551230001', data: { name: 'Grace Hopper' } };
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send(customer)
      .expect(200);

    const receiver = project.start('receiver.mjs', { WEBHOOK_SECRET: body.webhook_secret, PORT: port });
    await receiver.says(/^listening$/m);
    const watcher = project.start('watch.mjs', { GATEWAY_URL: gateway.url, SUPERVISOR_TOKEN: boss.token });
    await watcher.says(/^0 agents are logged in$/m);
    const softphone = project.start('agent.mjs', {
      GATEWAY_URL: gateway.url,
      AGENT_CODE: agent!.agentCode,
      AGENT_PASSWORD: agent!.password,
    });
    await softphone.says(/^ready$/m);
    await gateway.click(company, { phone_number: '+15551230001' }).expect(201);

    await softphone.says(/^customer Grace Hopper\ndial \+15551230001\n[^]*wrapped up$/m);
    await watcher.says(/^a100 reserved\n[^]*a100 on_call\n/m);
    await watcher.says(/^\+15551230001 ended$/m);
    for (const event of ['cti_click_to_dial', 'call_started', 'call_answered', 'disposition']) {
      await receiver.says(new RegExp(`^${event} [-0-9a-f]{36}$`, 'm'));
    }
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"event":"disposition"}' });
    expect(forged.status).toBe(401);
  });

  it('verify the webhook of each event', async () => {
    const signed = webhookOfEachEvent.map((webhook) => signedWebhook(webhook));
    const program = `import { verify } from '@readyline/webhooks';
      const signed = ${JSON.stringify(signed)};
      const verified = ({ body, headers, secret }) =>
        [verify(body, headers, secret), verify(body + ' ', headers, secret)];
      console.log(JSON.stringify(signed.map(verified)));`;
    await project.write('verify.mjs', program);
    const { stdout, stderr } = await project.start('verify.mjs', {}).ended;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject(
      webhookOfEachEvent.map((webhook, index) => [
        { kind: 'verified', deliveryId: signed[index]?.deliveryId, webhook },
        { kind: 'refused', reason: 'wrong_signature' },
      ]),
    );
  });

  const strict = [
    '--target',
    'es2023',
    '--lib',
    'es2023,dom,dom.iterable',
    '--types',
    '',
    '--exactOptionalPropertyTypes',
  ];

  it.each(['nodenext', 'esnext --moduleResolution bundler'])(
    'have types that refuse what is wrong, by %s',
    async (module) => {
      await project.write('typed.ts', typedProgram);
      expect(await project.compile(['typed.ts'], [...strict, '--module', ...module.split(' ')])).toBe('');
    },
  );

  it('have the types that the gateway’s own pages use', async () => {
    await project.write('same.ts', sameTypes);
    expect(
      await project.compile(
        ['same.ts'],
        [...strict, '--module', 'nodenext', '--allowImportingTsExtensions', '--skipLibCheck'],
      ),
    ).toBe('');
  });

  it('fit the guide’s examples', async () => {
    const examples = ['quick-start', 'webhooks', 'softphone', 'embed'].flatMap((page) => [
      ...read(`docs/integrating/${page}.md`).matchAll(/```ts\n([^]*?)```/g),
    ]);
    const files: string[] = [];
    for (const [index, [, example = '']] of examples.entries()) {
      // demo/expressReceiver.ts, which is compiled and run where Express is.
      if (example.includes("from 'express'")) continue;
      // A function, for its awaits.
      const [, imports = '', rest = ''] = /^((?:import [^;]+;\n)+)([^]*)$/.exec(example) ?? [];
      await project.write(
        `example${index}.ts`,
        `${imports}${surroundings}export async function example() {\n${rest}}\n`,
      );
      files.push(`example${index}.ts`);
    }
    expect(files).toHaveLength(2);
    expect(await project.compile(files, [...strict, '--module', 'nodenext'])).toBe('');
  });
});

/** What the guide's examples have of their own program. */
const surroundings = `
  declare const url: string, token: string;
  declare const phone: { dial(number: string): Promise<void> };
  declare function showCustomer(what: unknown): void;
  declare function hideCustomer(): void;
  declare function openRecord(key: string | null): void;
  declare function showState(...what: unknown[]): void;
  declare function showConnection(...what: unknown[]): void;
`;

const typedProgram = `
  import { crmFields, Softphone, SoftphoneRefusal } from '@readyline/client';
  import { DialRefused, embedSoftphone } from '@readyline/client/embed';
  import { Watcher } from '@readyline/client/watcher';
  import * as everything from '@readyline/client/browser';
  import { verify, type WebhookOf } from '@readyline/webhooks';

  const softphone: Softphone = new everything.Softphone({ url: 'http://127.0.0.1:3000', token: 'token' });
  softphone.on('pop', (pop) => void [pop.screen_pop.name?.length, crmFields(pop)]);
  softphone.on('agent', (agent) => {
    const state: 'offline' | 'not_ready' | 'ready' | 'reserved' | 'on_call' | 'wrap_up' = agent.state;
    // @ts-expect-error There is no such state.
    if (state === 'idle') return;
  });
  softphone.on('call', (call) => void (call.end_reason === 'busy'));
  // @ts-expect-error There is no such event.
  softphone.on('ring', () => undefined);
  // @ts-expect-error A softphone does not report that it dials.
  void softphone.reportProgress('call', 'dialing');
  // @ts-expect-error A time is a text.
  void softphone.submitDisposition('call', { code: 'callback', callback_at: new Date() });
  export const watcher = new Watcher({ url: 'http://127.0.0.1:3000', token: 'token' });
  watcher.on('call', (call) => void (call.state === 'held'));
  export const embedded = embedSoftphone(document.createElement('iframe'), { origin: 'http://127.0.0.1:3000' });
  export const refusals = [SoftphoneRefusal, DialRefused];

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
  verify({ event: 'call_started' }, {}, 'whsec_AAAA');
`;

/** A type that became `any` on the way would fit everything, but for the last line's question. */
const sameTypes = `
  import type { SoftphoneEvents, Softphone } from '@readyline/client';
  import type { WatcherEvents } from '@readyline/client/watcher';
  import type { EmbedState, CrmScreenPop } from '@readyline/client/embed';
  import type { KnownWebhook } from '@readyline/webhooks';
  import type * as softphone from '${root}src/client/softphone.ts';
  import type * as watcher from '${root}src/client/watcher.ts';
  import type * as embed from '${root}src/client/embed.ts';
  import type * as events from '${root}src/webhooks/events.ts';
  type Told<T> = { [E in keyof T]: T[E] extends (...told: infer A) => void ? A : never };
  type Fits<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
  type IsAny<T> = 0 extends 1 & T ? true : false;
  export const fits: [
    Fits<Told<SoftphoneEvents>, Told<softphone.SoftphoneEvents>>,
    Fits<Told<WatcherEvents>, Told<watcher.WatcherEvents>>,
    Fits<EmbedState, embed.EmbedState>,
    Fits<CrmScreenPop, embed.CrmScreenPop>,
    Fits<KnownWebhook, events.KnownWebhook>,
    Fits<Parameters<Softphone['reportProgress']>, Parameters<softphone.Softphone['reportProgress']>>,
    Fits<Parameters<Softphone['submitDisposition']>, Parameters<softphone.Softphone['submitDisposition']>>,
    Fits<ReturnType<Softphone['readSettings']>, ReturnType<softphone.Softphone['readSettings']>>,
  ] = [true, true, true, true, true, true, true, true];
  type Snapshot = Parameters<SoftphoneEvents['snapshot']>[0];
  export const none: [
    IsAny<Snapshot['agent']>,
    IsAny<Snapshot['call']>,
    IsAny<CrmScreenPop['screen_pop']>,
    IsAny<KnownWebhook['data']>,
  ] = [false, false, false, false];
`;
