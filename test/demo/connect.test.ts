import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type Program } from '../../demo/cluster/program.ts';
import { GatewayApi } from '../../demo/gatewayApi.ts';
import { restoreWebhook } from '../../demo/story/integration.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

const connect = (...args: string[]) =>
  startProgram(process.execPath, ['scripts/run.mjs', 'demo/connect.ts', ...args]).ended;

describe('npm run demo:connect', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  afterAll(() => gateway.close());

  it('ends the key of a company that was connected before, and prints one that works', async () => {
    const company = await gateway.company({ slug: 'known', webhookUrl: 'http://127.0.0.1:9/' });
    const options = ['--url', gateway.url, '--email', 'admin@known.example', '--webhook', 'http://127.0.0.1:4000/hook'];
    const { stdout, stderr, code } = await connect(...options, '--password', 'a-password-of-the-tests');
    expect([code, stderr]).toEqual([0, '']);
    const [, key = ''] = /^ {2}KEY=(rlk_\S+) SECRET=whsec_\S+$/m.exec(stdout) ?? [];
    const lookUp = (asked: string) =>
      gateway.api.get('/api/integrations/lookup?phone=%2B15551230001').set('X-Service-Api-Key', asked);
    expect((await lookUp(key)).status).toBe(404);
    expect((await lookUp(company.key)).status).toBe(401);
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(body.integration).toMatchObject({
      webhook_url: 'http://127.0.0.1:4000/hook',
      webhook_secret_set: true,
      webhook_secret_previous_until: null,
    });
  });

  it('has all events sent, the end of a call too, of which others hear only if they ask', async () => {
    const company = await gateway.company({ slug: 'curious' });
    const login = ['--email', 'admin@curious.example', '--password', 'a-password-of-the-tests'];
    expect((await connect('--url', gateway.url, ...login)).code).toBe(0);
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(body.integration.webhook_events).toEqual(body.webhook_events.map(({ id }: { id: string }) => id));
    expect(body.integration.webhook_events).toContain('call_ended');
  });

  it('sends webhooks to the inspector of the demo, where there is one and nobody names another address', async () => {
    const company = await gateway.company({ slug: 'inspected' });
    const { stdout } = await connect(
      '--url',
      gateway.url,
      '--email',
      'admin@inspected.example',
      '--password',
      'a-password-of-the-tests',
    );
    expect(stdout).toContain(`Webhooks go to ${gateway.url}/demo/inbox\n`);
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(body.integration.webhook_url).toBe(`${gateway.url}/demo/inbox`);
  });

  it('says in one line what is wrong', async () => {
    const wrong = await connect('--url', gateway.url, '--password', 'another password');
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toMatch(/^Log-in failed: .+\n$/);
    const missing = await connect();
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/^--password is missing\.\n/);
  });
});

it('npm run demo:story leaves the choice of events to the gateway where it was', async () => {
  const gateway = await startGateway('memory');
  try {
    const company = await gateway.company({ slug: 'told' });
    const integrationOf = async () => (await gateway.as(company).get('/api/integrations').expect(200)).body.integration;
    const before = await integrationOf();
    await gateway
      .as(company)
      .put('/api/integrations')
      .send({ webhook_events: ['disposition'] })
      .expect(200);
    await restoreWebhook(new GatewayApi(gateway.url), { token: company.adminToken }, before);
    expect((await integrationOf()).webhook_events).toEqual(before.webhook_events);
    // The demo has all events shown where nothing was chosen, and there alone.
    await gateway.as(company).post('/demo/start').expect(200);
    expect((await integrationOf()).webhook_events).toContain('call_ended');
  } finally {
    await gateway.close();
  }
});

describe('npm run webhook:listen, with the log-in of an admin', () => {
  let gateway: Gateway;
  const running: Program[] = [];
  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  afterEach(async () => {
    for (const program of running.splice(0)) if (!program.hasEnded) await program.kill('SIGKILL');
  });
  afterAll(() => gateway.close());

  async function listen(slug: string, ...args: string[]): Promise<{ program: Program; url: string }> {
    const login = ['--url', gateway.url, '--email', `admin@${slug}.example`, '--password', 'a-password-of-the-tests'];
    const program = startProgram(process.execPath, [
      'scripts/run.mjs',
      'demo/listen.ts',
      '--port',
      '0',
      ...login,
      ...args,
    ]);
    running.push(program);
    const [, url = ''] = await program.says(/^Webhooks are welcome at (http:\S+)/m);
    return { program, url };
  }
  const integrationOf = async (company: TestCompany) =>
    (await gateway.as(company).get('/api/integrations').expect(200)).body.integration;

  it('has the webhooks come to it, verified, and sends them where they went before when Ctrl-C ends it', async () => {
    const company = await gateway.company({ slug: 'lent', webhookUrl: 'http://127.0.0.1:9/' });
    const { body } = await gateway.as(company).put('/api/integrations').send({ webhook_secret: 'rotate' }).expect(200);
    const { program, url } = await listen('lent', '--secret', String(body.webhook_secret));
    expect((await integrationOf(company)).webhook_url).toBe(url);
    await gateway.as(company).post('/api/integrations/test-webhook').expect(200);
    await program.says(/integration_test .* verified /);
    // As npm does, which passes on the Ctrl-C that the terminal has sent.
    program.child.kill('SIGINT');
    const { code, stdout } = await program.stop('SIGINT');
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, 'From now on webhooks go to http://127.0.0.1:9/']);
    expect((await integrationOf(company)).webhook_url).toBe('http://127.0.0.1:9/');
  });

  it('knows the secret of a company that had no webhook URL, and takes the URL away when its terminal is closed', async () => {
    const company = await gateway.company({ slug: 'bare' });
    await gateway.as(company).put('/api/integrations').send({ webhook_url: null }).expect(200);
    const { program } = await listen('bare');
    await gateway.as(company).post('/api/integrations/test-webhook').expect(200);
    await program.says(/integration_test .* verified /);
    const { code } = await program.stop('SIGHUP');
    expect(code).toBe(0);
    expect((await integrationOf(company)).webhook_url).toBeNull();
  });

  it('leaves a URL that somebody has set meanwhile', async () => {
    const company = await gateway.company({ slug: 'moved', webhookUrl: 'http://127.0.0.1:9/' });
    const { program } = await listen('moved');
    await gateway.as(company).put('/api/integrations').send({ webhook_url: 'http://127.0.0.1:9/moved' }).expect(200);
    const { stdout } = await program.stop('SIGTERM');
    expect(stdout).toContain('From now on webhooks go to http://127.0.0.1:9/moved\n');
    expect((await integrationOf(company)).webhook_url).toBe('http://127.0.0.1:9/moved');
  });
});
