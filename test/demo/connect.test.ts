import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../../demo/cluster/program.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';

const connect = (...args: string[]) => startProgram(process.execPath, ['scripts/run.mjs', 'demo/connect.ts', ...args]).ended;

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
    const lookUp = (asked: string) => gateway.api.get('/api/integrations/lookup?phone=%2B15551230001').set('X-Service-Api-Key', asked);
    expect((await lookUp(key)).status).toBe(404);
    expect((await lookUp(company.key)).status).toBe(401);
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(body.integration).toMatchObject({ webhook_url: 'http://127.0.0.1:4000/hook', webhook_secret_set: true, webhook_secret_previous_until: null });
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
