import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crmProviders } from '../src/contract/vocabulary.ts';
import { readConfig } from '../src/config.ts';
import { createApp } from '../src/app.ts';
import { ensureGatewayBuilt } from './cluster/builtGateway.ts';
import { commandLine, runCommand, wholeNumber, wrongOption } from './commandLine.ts';
import { DemoCrm } from './crm/demoCrm.ts';
import type { PlayedProvider } from './crm/playedCrms.ts';
import { GatewayApi } from './gatewayApi.ts';
import { finishOnSignal } from './stopSignal.ts';

const ids = crmProviders.map(({ id }) => id);
const usage = `npm run demo:crm -- <CRM> [--port 3100]

Starts a gateway that is connected to a CRM which is played on this machine, and says what to open and to click: a
caller whom nobody pushed pops with the CRM's record, one click opens it, and the call stands there afterwards. Both
keep nothing: Ctrl-C ends them. --port 0 takes a free one.
  CRM: ${ids.join(' · ')}`;

runCommand(usage, async () => {
  const { values, positionals } = parseArgs({
    args: commandLine(),
    options: { port: { type: 'string', default: '3100' } },
    allowPositionals: true,
  });
  const [provider] = positionals;
  if (provider === undefined || positionals.length > 1) throw wrongOption('Name one CRM.');
  if (!isProvider(provider)) throw wrongOption(`There is no ${provider} to play.`);
  await play(provider, wholeNumber(values.port, 'port', 0, 65_535));
});

function isProvider(given: string): given is PlayedProvider {
  return ids.some((id) => id === given);
}

async function play(provider: PlayedProvider, port: number): Promise<void> {
  say('building the gateway, unless it is built: half a minute');
  await ensureGatewayBuilt();
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  finishOnSignal(close);
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'readyline-demo-crm-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    say('starting the CRM that is played');
    const crm = await DemoCrm.open(provider);
    closing.push(() => crm.close());
    const settings = {
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      CRM_BASE_URLS: JSON.stringify({ [provider]: crm.url }),
    };
    say('starting a gateway with a database of its own');
    const app = await createApp(readConfig(settings));
    closing.push(() => app.close());
    const { url } = await app.listen();
    const [admin, agent] = app.demo?.logins ?? [];
    if (admin === undefined || agent === undefined) throw new Error('the demo company has an admin and agents');
    say(`connecting it to ${crm.name}`);
    const api = new GatewayApi(url);
    const { token } = await api.logIn({ email: admin.login, password: admin.password });
    await crm.connect(api, token, agent.login);
    console.log(`\n1. Open the softphone ${url}/ : log in as ${agent.login} with ${agent.password} and press Ready.`);
    console.log(
      `2. Open ${crm.name} ${crm.url}/ : press “Call as Grace Hopper”, answer, ` +
        `and see “Open in ${provider === 'custom' ? 'the CRM' : crm.name}”.`,
    );
    console.log(
      `3. Hang up and wrap up: the call then stands in ${crm.name}. ` +
        `The console is ${url}/admin : ${admin.login}, ${admin.password}`,
    );
  } catch (error) {
    await close();
    throw error;
  }
}

function say(step: string): void {
  console.log(`demo: ${step}`);
}
