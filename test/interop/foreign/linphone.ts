import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, Program, searchPath } from '../../../demo/cluster/program.ts';
import { eventually } from '../../support/time/waiting.ts';
import { freeUdpPorts } from '../udpPorts.ts';
import { type Account, type CallStep, type ForeignPhone, unlessEnded } from './foreignPhone.ts';
import { HeardSound, tones, type Voice } from './heardSound.ts';
import { startSoundCard } from './soundCard.ts';

/** What its states make of a call; null: it is over. What is on its way from one to another is left as it was. */
const stepsOf: Record<string, CallStep | null> = {
  IncomingReceived: 'rings',
  OutgoingInit: 'calls',
  StreamsRunning: 'talks',
  PausedByRemote: 'isHeld',
  Paused: 'holds',
  End: null,
  Error: null,
  Released: null,
};

/** linphone-daemon, told what to do by its standard input; registered when it is there. */
export async function startLinphone(account: Account, voice: Voice): Promise<ForeignPhone> {
  const folder = await mkdtemp(join(tmpdir(), 'readyline-linphone-'));
  await mkdir(join(folder, '.local/share/linphone'), { recursive: true });
  const [sipPort = 0] = await freeUdpPorts(1);
  const sound = await startSoundCard(join(folder, 'sound'), tones[voice]);
  await writeFile(join(folder, 'config'), configOf(account, sipPort));
  const child = spawn('linphone-daemon', ['--config', join(folder, 'config'), '--disable-stats-events'], {
    cwd: root,
    env: { PATH: searchPath, HOME: folder, ...sound.env },
    stdio: 'pipe',
  });
  // One that has ended says itself why.
  child.stdin.on('error', () => undefined);
  const program = new Program(child);
  const calls = new Map<string, CallStep>();
  let read = 0;
  child.stdout.on('data', () => {
    for (const [event, state = '', id = ''] of program.stdout.slice(read).matchAll(callEvent)) {
      read = program.stdout.indexOf(event, read) + event.length;
      const step = stepsOf[state];
      if (step === null) calls.delete(id);
      else if (step !== undefined) calls.set(id, step);
    }
  });
  const said = () => `${program.stdout}${program.stderr}`.slice(-6_000);
  const tell = async (command: string) => {
    const before = program.stdout.length;
    child.stdin.write(`${command}\n`);
    const [, status] = await unlessEnded(
      program,
      eventually(() => /Status: (Ok|Error)/.exec(program.stdout.slice(before)) ?? false),
    );
    if (status !== 'Ok') throw new Error(`linphone does not ${command}: ${said()}`);
  };
  const stop = async () => {
    await program.stop('SIGKILL');
    await sound.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(async () => {
      const before = program.stdout.length;
      await tell('register-status ALL');
      return /State: LinphoneRegistrationOk/.test(program.stdout.slice(before));
    });
  } catch (error) {
    await stop();
    throw new Error(`linphone did not come up: ${said()}`, { cause: error });
  }
  const only = (step: CallStep) => {
    const found = [...calls].filter(([, each]) => each === step).map(([id]) => id);
    if (found.length !== 1) throw new Error(`linphone has ${found.length} calls that stand at ${step}: ${said()}`);
    return found[0]!;
  };
  return {
    user: account.user,
    sound: new HeardSound(sound.played),
    calls: () => calls,
    call: (to) => tell(`call sip:${to}@127.0.0.1`),
    answer: () => tell(`answer ${only('rings')}`),
    decline: () => tell(`terminate ${only('rings')}`),
    hangUp: () => tell('terminate'),
    hold: () => tell(`call-pause ${only('talks')}`),
    resume: () => tell(`call-resume ${only('holds')}`),
    keysHeard: () => [...program.stdout.matchAll(/^Tone: (.)$/gm)].map(([, key]) => key).join(''),
    said,
    stop,
  };
}

/** Of what it writes by itself. */
const callEvent = /Event: LinphoneCall(\w+)\nFrom: .*\nId: (\d+)\n/g;

function configOf({ user, secret, sipPort: pbx }: Account, ownPort: number): string {
  const way = `sip:127.0.0.1:${pbx};transport=udp`;
  return [
    ...['[sip]', `sip_port=${ownPort}`, 'sip_tcp_port=0', 'sip_tls_port=0', 'default_proxy=0'],
    // Not the name that the PBX gives it (GRUU, RFC 5627): it is called by its address.
    'supported=replaces',
    // There is no room in which it would hear itself.
    ...['[sound]', 'echocancellation=0'],
    // A free port for the voice of each call.
    ...['[rtp]', 'audio_rtp_port=-1', 'audio_adaptive_jitt_comp_enabled=1'],
    ...['[video]', 'capture=0', 'display=0', 'automatically_initiate=0', 'automatically_accept=0'],
    ...['[proxy_0]', `reg_proxy=<${way}>`, `reg_route=<${way};lr>`, `reg_identity=sip:${user}@127.0.0.1`],
    ...['reg_expires=60', 'reg_sendregister=1'],
    ...['[auth_info_0]', `username=${user}`, `passwd=${secret}`, 'realm=127.0.0.1', ''],
  ].join('\n');
}
