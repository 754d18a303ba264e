import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Softphone, SoftphoneRefusal, type LineState } from '../src/client/softphone.ts';
import type { LoginAnswer } from '../src/contract/auth.ts';
import type { CallView } from '../src/contract/calls.ts';
import type { Refusal, StateSnapshot } from '../src/contract/socket.ts';
import { baseUrl, commandLine, CommandError, required, runCommand, wholeNumber } from './commandLine.ts';
import { GatewayApi } from './gatewayApi.ts';
import { popCard } from './popCard.ts';
import { playCall, type CallStep } from './simulatedCall.ts';
import { finishOnSignal } from './stopSignal.ts';

const usage = `npm run demo:softphone -- --agent a100 --password … [--url http://127.0.0.1:3000] [--company demo]

An agent's softphone in the terminal: goes Ready, shows screen pops, dials, talks and wraps up until Ctrl-C.
There is no audio; the pauses of a call, in milliseconds, and its disposition can be chosen:
  --ring-after 400  --answer-after 1500  --talk 4000  --wrap-up 2000  --disposition resolved`;

/** A token is renewed this long before its end. */
const renewBeforeMs = 300_000;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      agent: { type: 'string' },
      password: { type: 'string' },
      company: { type: 'string' },
      'ring-after': { type: 'string', default: '400' },
      'answer-after': { type: 'string', default: '1500' },
      talk: { type: 'string', default: '4000' },
      'wrap-up': { type: 'string', default: '2000' },
      disposition: { type: 'string', default: 'resolved' },
    },
  });
  const ms = (option: 'ring-after' | 'answer-after' | 'talk' | 'wrap-up') =>
    wholeNumber(values[option], option, 0, 3_600_000);
  const steps: CallStep[] = [
    { afterMs: ms('ring-after'), state: 'ringing' },
    { afterMs: ms('answer-after'), state: 'connected' },
    { afterMs: ms('talk'), state: 'ended', endedBy: 'customer' },
  ];
  const wrapUp = { afterMs: ms('wrap-up'), code: values.disposition };
  const api = new GatewayApi(baseUrl(values.url, 'url'));
  const login = {
    agent_code: required(values.agent, 'agent'),
    password: required(values.password, 'password'),
    ...(values.company === undefined ? {} : { company_slug: values.company }),
  };
  const first = await api.logIn(login);
  const softphone = new Softphone({ url: api.url, token: first.token });
  listen(softphone, steps, wrapUp);
  const snapshot = await connect(softphone);
  say(`${first.agent.name} (${first.agent.agent_code}) of ${first.agent.company_slug} is logged in`);
  requireDisposition(snapshot, wrapUp.code);
  finishOnSignal(() => signOut(softphone));
  await finishOpenCall(softphone, snapshot.call, wrapUp.code);
  await softphone.setReady();
  keepTokenFresh(softphone, first, () => api.logIn(login));
});

function listen(softphone: Softphone, steps: readonly CallStep[], wrapUp: { afterMs: number; code: string }): void {
  softphone.on('line', (state, refusal) => onLine(state, refusal));
  softphone.on('agent', ({ state, reason }) => say(`agent is ${state}${reason === null ? '' : ` (${reason})`}`));
  softphone.on('pop', (pop) => console.log(popCard(pop)));
  softphone.on('popClosed', (_callId, reason) => say(`the call will not be made: ${reason}`));
  softphone.on('dial', ({ call_id, phone_number }) => {
    say(`dialing ${phone_number}`);
    talk(call_id).catch((error: unknown) => say(`the call went wrong: ${reasonOf(error)}`));
  });

  async function talk(callId: string): Promise<void> {
    await playCall(softphone, callId, steps, (call) => say(`call is ${call.state}`));
    await pause(wrapUp.afterMs);
    await softphone.submitDisposition(callId, { code: wrapUp.code });
    say(`wrapped up as ${wrapUp.code}`);
  }
}

function onLine(state: LineState, refusal: Refusal | undefined): void {
  say(`line is ${state}${refusal === undefined ? '' : `: ${refusal.detail}`}`);
  if (state === 'replaced') stop('Another softphone of this agent has taken over; this one is passive and ends.');
  if (state === 'refused') stop('The gateway has ended the connection for good; start the softphone again.');
}

async function connect(softphone: Softphone): Promise<StateSnapshot> {
  try {
    return await softphone.connect();
  } catch (error) {
    throw new CommandError(`The softphone cannot connect: ${reasonOf(error)}`);
  }
}

function requireDisposition({ dispositions }: StateSnapshot, wanted: string): void {
  const codes = dispositions.map(({ code }) => code);
  if (!codes.includes(wanted)) throw new CommandError(`--disposition must be one of ${codes.join(', ')}.`);
}

/** A softphone that was closed in the middle of a call left it behind. */
async function finishOpenCall(softphone: Softphone, call: CallView | null, code: string): Promise<void> {
  if (call === null) return;
  say('a call from before is still open; ending it');
  if (call.state !== 'ended') await softphone.reportProgress(call.id, 'ended', { end_reason: 'failed' });
  if (call.disposition === null) await softphone.submitDisposition(call.id, { code });
}

function keepTokenFresh(softphone: Softphone, { expires_at }: LoginAnswer, logIn: () => Promise<LoginAnswer>): void {
  const renew = async () => {
    const fresh = await logIn();
    await softphone.renewToken(fresh.token);
    keepTokenFresh(softphone, fresh, logIn);
  };
  const inMs = Math.max(1_000, Date.parse(expires_at) - Date.now() - renewBeforeMs);
  setTimeout(() => {
    renew().catch((error: unknown) => say(`the token is not renewed: ${reasonOf(error)}`));
  }, inMs).unref();
}

async function signOut(softphone: Softphone): Promise<void> {
  const { call } = softphone;
  if (call !== null && call.state !== 'ended') await softphone.reportProgress(call.id, 'ended', { ended_by: 'agent' });
  await softphone.signOut();
}

function reasonOf(error: unknown): string {
  if (error instanceof SoftphoneRefusal) return error.refusal.detail;
  return error instanceof Error ? error.message : String(error);
}

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 23)}  ${line}`);
}

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
