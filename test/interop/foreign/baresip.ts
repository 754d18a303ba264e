import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../demo/cluster/freePort.ts';
import { searchPath, startProgram } from '../../../demo/cluster/program.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type Account, type CallStep, type ForeignPhone, unlessEnded } from './foreignPhone.ts';
import { HeardSound, tones, type Voice } from './heardSound.ts';
import { startSoundCard } from './soundCard.ts';
import { freeUdpPorts } from '../udpPorts.ts';

/** What it tells of itself, as far as it is read here. */
type Message = { type?: string; id?: string; param?: string; token?: string; ok?: boolean; data?: string };

/** What each event makes of the call that it names; null: it is over. */
const stepsOf: Record<string, CallStep | null> = {
  CALL_INCOMING: 'rings',
  CALL_RINGING: 'calls',
  CALL_PROGRESS: 'calls',
  CALL_ESTABLISHED: 'talks',
  CALL_CLOSED: null,
};

/** baresip, told what to do by its module `ctrl_tcp`; registered when it is there. */
export async function startBaresip(account: Account, voice: Voice): Promise<ForeignPhone> {
  const folder = await mkdtemp(join(tmpdir(), 'readyline-baresip-'));
  const sound = await startSoundCard(join(folder, 'sound'), tones[voice]);
  const [sipPort = 0] = await freeUdpPorts(1);
  const controlPort = await freePort();
  const modules = ['account', 'menu', 'ctrl_tcp', 'g711', 'ausine', 'alsa'];
  const config = [
    'module_path /usr/lib/baresip/modules',
    ...modules.map((name) => `${['account', 'menu', 'ctrl_tcp'].includes(name) ? 'module_app' : 'module'} ${name}.so`),
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    `sip_listen 127.0.0.1:${sipPort}`,
    'statmode_default off',
    'net_interface 127.0.0.1',
    `audio_source ausine,${tones[voice]}`,
    ...['ausrc_srate 48000', 'ausrc_channels 2'],
    'audio_player alsa,pulse',
  ];
  const { user, secret } = account;
  const proxy = `sip:127.0.0.1:${account.sipPort};transport=udp`;
  const words = `auth_user=${user};auth_pass=${secret};outbound="${proxy}";regint=60;audio_codecs=pcma`;
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
  await writeFile(join(folder, 'accounts'), `<sip:${user}@127.0.0.1>;${words}\n`);
  await writeFile(join(folder, 'contacts'), '');

  const program = startProgram('baresip', ['-f', folder], {
    cwd: folder,
    env: { PATH: searchPath, HOME: folder, ...sound.env },
  });
  const calls = new Map<string, CallStep>();
  const answers = new Map<string, Message>();
  let keys = '';
  const told: string[] = [];
  const onMessage = (message: Message) => {
    told.push(JSON.stringify(message));
    if (message.type === 'CALL_DTMF_START') keys += message.param ?? '';
    if (message.token !== undefined) answers.set(message.token, message);
    const step = stepsOf[message.type ?? ''];
    if (step === undefined || message.id === undefined) return;
    if (step === null) calls.delete(message.id);
    else calls.set(message.id, step);
  };
  let control: Socket | null = null;
  const stop = async () => {
    control?.destroy();
    await program.stop();
    await sound.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const said = () => `${told.join('\n')}\n${program.stdout}${program.stderr}`.slice(-6_000);
  let tokens = 0;
  const ask = async (command: string, params?: string) => {
    const token = String(tokens++);
    const text = JSON.stringify({ command, params, token });
    control?.write(`${Buffer.byteLength(text)}:${text},`);
    const answer = await unlessEnded(
      program,
      eventually(() => answers.get(token) ?? false),
    );
    if (answer.ok !== true) throw new Error(`baresip does not ${command}: ${answer.data}`);
    return answer.data ?? '';
  };
  const tell = async (command: string, params?: string) => void (await ask(command, params));
  try {
    control = await unlessEnded(program, opens(controlPort));
    read(control, onMessage);
    // Asked, as it may have registered before anybody listened.
    await eventually(async () => (await ask('reginfo')).includes('OK'));
  } catch (error) {
    await stop();
    throw new Error(`baresip did not come up: ${said()}`, { cause: error });
  }
  return {
    user,
    sound: new HeardSound(sound.played),
    calls: () => calls,
    call: (to) => tell('dial', `sip:${to}@127.0.0.1`),
    answer: () => tell('accept'),
    decline: () => tell('hangup'),
    hangUp: () => tell('hangup'),
    hold: () => tell('hold'),
    resume: () => tell('resume'),
    keysHeard: () => keys,
    said,
    stop,
  };
}

/** Its control, as soon as it listens. */
function opens(port: number): Promise<Socket> {
  return eventually(
    () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      }),
  );
}

/** Reads netstrings: the length, a colon, the text, a comma. */
function read(socket: Socket, onMessage: (message: Message) => void): void {
  let bytes = Buffer.alloc(0);
  // That the telephone ends is known from the program.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const colon = bytes.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(bytes.subarray(0, colon).toString());
      if (bytes.length <= end) return;
      onMessage(JSON.parse(bytes.subarray(colon + 1, end).toString()) as Message);
      bytes = bytes.subarray(end + 1);
    }
  });
}
