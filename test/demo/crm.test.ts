import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../../demo/cluster/program.ts';
import { DemoCrm, demoCrmPath, demoCrmState, type DemoCrmState } from '../../demo/crm/demoCrm.ts';
import type { PlayedProvider } from '../../demo/crm/playedCrms.ts';
import { GatewayApi } from '../../demo/gatewayApi.ts';
import { crmProviders } from '../../src/contract/vocabulary.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const crmDemo = (...args: string[]) => startProgram(process.execPath, ['scripts/run.mjs', 'demo/crm.ts', ...args]);

describe('the played CRM', () => {
  let gateway: Gateway;
  const played = new Map<PlayedProvider, DemoCrm>();
  beforeAll(async () => {
    for (const { id } of crmProviders) played.set(id, await DemoCrm.open(id));
    const crmBaseUrls = new Map(Array.from(played, ([id, { url }]) => [id, url]));
    gateway = await startGateway('memory', { config: { crmBaseUrls } });
  });
  afterAll(async () => {
    await gateway.close();
    for (const crm of played.values()) await crm.close();
  });

  const stateOf = async (crm: DemoCrm): Promise<DemoCrmState> =>
    demoCrmState.parse(await (await fetch(`${crm.url}${demoCrmPath}/state`)).json());
  async function press(crm: DemoCrm, button: 'ring' | 'dial', id: string | undefined): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return (
      await fetch(`${crm.url}${demoCrmPath}/${button}`, { method: 'POST', headers, body: JSON.stringify({ id }) })
    ).json();
  }

  it.each(crmProviders)('of $name tells who calls, dials from a record, and opens it', async ({ id, name }) => {
    const crm = played.get(id)!;
    const company = await gateway.company({ slug: `demo-${id}`, agents: 1, wrapUpSeconds: 0 });
    const [agent] = company.agents;
    await crm.connect(new GatewayApi(gateway.url), company.adminToken, agent!.agentCode);
    const { people } = await stateOf(crm);
    expect(people.map((person) => person.name)).toEqual([
      'Grace Hopper',
      'Mary Jackson',
      'Ada Byron',
      'Annabella Byron',
    ]);
    const [grace, , ada] = people;
    expect(await press(crm, 'ring', grace?.id)).toEqual({ text: 'Nobody is at the softphone: log in there first.' });

    const softphone = await gateway.readySoftphone(agent!);
    const popped = nextEvent(softphone, 'popChanged', (pop) => pop.screen_pop.name === 'Grace Hopper');
    const { call } = await softphone.incomingCall('+14155552671');
    const [{ screen_pop: pop }] = await popped;
    expect(pop).toMatchObject({ external_system: id, external_id: grace?.id });
    const page = await fetch(pop.record_url ?? '', { headers: { accept: 'text/html' } });
    expect([page.status, (await page.text()).includes(`<h1>${name}</h1>`)]).toEqual([200, true]);
    expect(decodeURIComponent(decodeURIComponent(page.url))).toContain(grace?.id);
    await softphone.reportProgress(call.id, 'ended');
    await softphone.setReady();

    // Two have that number; the click names one of them.
    const named = nextEvent(softphone, 'popChanged', (shown) => shown.screen_pop.name === 'Ada Byron');
    expect(await press(crm, 'dial', ada?.id)).toEqual({ text: 'The softphone dials.' });
    expect((await named)[0].screen_pop.candidates).toHaveLength(2);
  });

  it('shows the calls that are logged there, the latest first, with whose they are', async () => {
    const crm = played.get('custom')!;
    const [grace] = (await stateOf(crm)).people;
    for (const [call, record_id] of [
      ['first', grace?.id],
      ['second', null],
    ] as const) {
      const headers = {
        'content-type': 'application/json',
        'x-api-key': 'key-of-the-gateway',
        'idempotency-key': call,
      };
      const answer = await fetch(`${crm.url}/calls/${call}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ record_id, notes: `Notes of the ${call}` }),
      });
      expect(answer.status).toBe(201);
    }
    const { logged } = await stateOf(crm);
    expect(logged.slice(0, 2).map(({ person }) => person)).toEqual([null, 'Grace Hopper']);
    expect(logged[0]?.text).toContain('Notes of the second');
  });

  it('says why the softphone does not dial, and does nothing for pages of others', async () => {
    const crm = played.get('hubspot')!;
    const [grace] = (await stateOf(crm)).people;
    const body = JSON.stringify({ id: grace?.id });
    expect((await fetch(`${crm.url}${demoCrmPath}/dial`, { method: 'POST', body })).status).toBe(415);
    expect(await press(crm, 'dial', 'nobody')).toEqual({ text: 'There is nobody of that id.' });
    expect(await press(crm, 'dial', grace?.id)).toEqual({ text: expect.stringContaining('agent_not_ready') });
  });

  it.each(['hubspot', 'salesforce', 'zendesk', 'dynamics'] as const)(
    'of %s shows the call with whom the agent has chosen',
    async (id) => {
      const crm = played.get(id)!;
      const company = await gateway.company({ slug: `logs-${id}`, agents: 1, wrapUpSeconds: 0 });
      const [agent] = company.agents;
      await crm.connect(new GatewayApi(gateway.url), company.adminToken, agent!.agentCode);
      const softphone = await gateway.readySoftphone(agent!);
      const told = nextEvent(softphone, 'popChanged', (pop) => pop.screen_pop.candidates !== undefined);
      const { call } = await softphone.incomingCall('+14155550186');
      const [{ screen_pop: pop }] = await told;
      await softphone.chooseRecord(
        call.id,
        pop.candidates!.find(({ name }) => name === 'Annabella Byron')!,
      );
      await softphone.reportProgress(call.id, 'connected');
      await softphone.reportProgress(call.id, 'ended');
      await softphone.submitDisposition(call.id, { code: 'resolved', notes: 'Wants the price list.' });
      await eventually(async () =>
        expect((await stateOf(crm)).logged.map(({ person }) => person)).toContain('Annabella Byron'),
      );
    },
  );
});

describe('npm run demo:crm', () => {
  it('says what it does meanwhile, then in three lines what to open and to click, and ends when it is told', async () => {
    const program = crmDemo('hubspot', '--port', '0');
    const line = await program.says(/^3\. .+$/m);
    expect(line).toBeTruthy();
    // As npm does, which passes on the Ctrl-C that the terminal has sent.
    program.child.kill('SIGINT');
    const { stdout, stderr, code } = await program.stop('SIGINT');
    expect([code, stderr]).toEqual([0, '']);
    const [steps = '', lines = ''] = stdout.split('\n\n');
    expect(steps.split('\n')).toEqual([
      'demo: building the gateway, unless it is built: half a minute',
      'demo: starting the CRM that is played',
      'demo: starting a gateway with a database of its own',
      'demo: connecting it to HubSpot',
    ]);
    expect(
      lines
        .trim()
        .split('\n')
        .map((one) => one.slice(0, 2)),
    ).toEqual(['1.', '2.', '3.']);
  });

  it('names the ten for a wrong one, and by --help', async () => {
    const wrong = await crmDemo('sugar').ended;
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    const help = await crmDemo('--help').ended;
    expect(help.code).toBe(0);
    for (const { id } of crmProviders) for (const text of [wrong.stderr, help.stdout]) expect(text).toContain(id);
    expect(wrong.stderr).toMatch(/^There is no sugar to play\.\n/);
  });
});
