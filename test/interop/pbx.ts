import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../demo/cluster/freePort.ts';
import { root, startProgram, type Program } from '../../demo/cluster/program.ts';
import { slowness, wholePatienceMs } from '../support/time/pace.ts';
import { eventually } from '../support/time/waiting.ts';
import { filter } from './networkOfItsOwn.ts';
import { freeUdpPorts, isBound } from './udpPorts.ts';

/** What the customer's end of the line does: the name of a scenario in peers/. */
export type Peer =
  | 'answers'
  | 'busy'
  | 'declines'
  | 'unknown'
  | 'rings'
  | 'hangsUp'
  | 'answersAgain'
  | 'unavailable'
  | 'isHeld'
  | 'calls'
  | 'callsBriefly'
  | 'givesUp'
  | 'isDeclined'
  | 'handsNoneOver'
  | 'holds'
  | 'transfers'
  | 'takesPlace';

/** A company's PBX (Kamailio and rtpengine) on 127.0.0.1, with a carrier behind it that is played by sipp. */
export interface Pbx {
  /** Where agents register: SIP over WebSocket. */
  readonly wssUrl: string;
  /** Every agent's, whatever the user. */
  readonly secret: string;
  /** Where telephones register by UDP. */
  readonly sipPort: number;
  /** Waits for the agent's next call as a customer does. */
  customer(peer: Peer): Promise<Customer>;
  /**
   * Calls an agent.
   * @param user of the agent's SIP account;
   * @param phoneNumber the customer's own;
   * @param words of the scenario
   */
  call(peer: Peer, user: string, phoneNumber: string, words?: Record<string, string>): Promise<Customer>;
  /** Packets of the voice are dropped, whichever way they go; what is said by SIP is not. The result ends it. */
  dropVoice(): Promise<() => Promise<void>>;
  /**
   * No voice goes over loopback but the customer's own, so that browsers use another address of the machine.
   * The result ends it.
   */
  keepOffLoopback(): Promise<() => Promise<void>>;
  /** The media relay dies, and is there again with nothing in mind. */
  killRelay(): Promise<void>;
  /** What Kamailio and rtpengine have written so far; for looking at when something went wrong. */
  said(): string;
  stop(): Promise<void>;
}

/** One end of one call. */
export type Customer = {
  /** Resolves when the call went exactly as the scenario says; rejects with what came instead. */
  done: () => Promise<void>;
  /** The customer's telephone is without power, from one moment to the next. */
  vanish: () => Promise<void>;
};

const here = join(root, 'test/interop');
/** How many times a peer is called; 1 where it does not say. */
const callsOf: Partial<Record<Peer, number>> = { handsNoneOver: 2, transfers: 2 };
/** How long a customer talks, holds, or lets it ring before anything else; on an idle machine. Milliseconds. */
const talkMs = 2_000;

/**
 * Starts the PBX on free ports. Throws when one of its programs is missing or does not start.
 * @param voice the ports of its media relay
 */
export async function startPbx(voice = { first: 23_000, last: 23_199 }): Promise<Pbx> {
  const directory = await mkdtemp(join(tmpdir(), 'readyline-pbx-'));
  const secret = 'a-secret-of-the-interop-tests';
  const [sipPort = 0, carrierPort = 0, ngPort = 0, mediaPort = 0] = await freeUdpPorts(4);
  const wsPort = await freePort();
  const words = { SIP_PORT: sipPort, WS_PORT: wsPort, NG_PORT: ngPort, CARRIER_PORT: carrierPort, SIP_SECRET: secret };
  const config = (await readFile(join(here, 'kamailio.cfg'), 'utf8')).replaceAll(
    new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b`, 'g'),
    (word) => String(words[word as keyof typeof words]),
  );
  await writeFile(join(directory, 'kamailio.cfg'), config);

  const programs: Program[] = [];
  const stop = async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  const start = (file: string, args: string[]) => {
    const program = startProgram(file, args, { cwd: directory });
    programs.push(program);
    return program;
  };
  const sipp = async (peer: Peer, port: number, voicePort: number, more: string[]): Promise<Customer> => {
    const errors = join(directory, `${peer}-${programs.length}.log`);
    const program = start('sipp', [
      ...[
        '-sf',
        join(here, `peers/${peer}.xml`),
        '-m',
        String(callsOf[peer] ?? 1),
        '-nostdin',
        '-i',
        '127.0.0.1',
        '-p',
        String(port),
      ],
      ...['-mi', '127.0.0.1', '-mp', String(voicePort), '-rtp_echo', '-trace_err', '-error_file', errors],
      // What hangs says so in time.
      ...[
        '-d',
        String(Math.round(talkMs * slowness())),
        '-timeout',
        `${Math.ceil(wholePatienceMs() / 1_000)}s`,
        '-timeout_error',
        ...more,
      ],
    ]);
    return {
      async done() {
        const { code, signal } = await program.ended;
        if (code === 0 || signal === 'SIGKILL') return;
        const why = await readFile(errors, 'utf8').catch(() => 'it wrote nothing');
        throw new Error(`the customer's end (${peer}) ended with ${code}: ${why}\n${said()}`);
      },
      async vanish() {
        await program.kill('SIGKILL');
      },
    };
  };
  const said = () =>
    programs
      .slice(0, 2)
      .map(({ stdout, stderr }) => `${stdout}${stderr}`.slice(-4_000))
      .join('\n');

  const startRelay = async () => {
    const program = start('rtpengine', [
      ...['--config-file=none', '--table=-1', '--foreground', '--log-stderr', '--log-level=5'],
      ...[
        '--interface=127.0.0.1',
        `--listen-ng=127.0.0.1:${ngPort}`,
        `--port-min=${voice.first}`,
        `--port-max=${voice.last}`,
      ],
    ]);
    await isUp(program, () => isBound(ngPort));
    return program;
  };
  const relayed = `${voice.first}:${voice.last}`;
  let relay: Program;

  try {
    relay = await startRelay();
    // It asks rtpengine for a sign of life, and so comes second.
    await isUp(
      start('kamailio', ['-DD', '-E', '-m', '32', '-M', '4', '-f', join(directory, 'kamailio.cfg'), '-Y', directory]),
      () => accepts(wsPort),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    wssUrl: `ws://127.0.0.1:${wsPort}`,
    secret,
    sipPort,
    async customer(peer) {
      const waiting = await sipp(peer, carrierPort, mediaPort, []);
      await eventually(() => isBound(carrierPort));
      return waiting;
    },
    async call(peer, user, phoneNumber, words = {}) {
      const [ownPort = 0, voicePort = 0] = await freeUdpPorts(2);
      const keys = Object.entries({ customer: phoneNumber, ...words }).flatMap(([word, value]) => [
        '-key',
        word,
        value,
      ]);
      return sipp(peer, ownPort, voicePort, ['-s', user, ...keys, `127.0.0.1:${sipPort}`]);
    },
    dropVoice: () => filter([`--dport ${relayed} -j DROP`, `--sport ${relayed} -j DROP`]),
    keepOffLoopback: () => filter([`-s 127.0.0.1 --dport ${relayed} ! --sport ${mediaPort} -j DROP`]),
    async killRelay() {
      await relay.kill('SIGKILL');
      relay = await startRelay();
    },
    said,
    stop,
  };
}

/** Resolves when the program serves; rejects with what it said when it ends before. */
async function isUp(program: Program, serves: () => Promise<boolean>): Promise<void> {
  const end = program.ended.then(({ code, stdout, stderr }) => {
    throw new Error(`a part of the PBX ended with ${code}:\n${stdout}${stderr}`);
  });
  await Promise.race([eventually(serves), end]);
  end.catch(() => undefined);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
