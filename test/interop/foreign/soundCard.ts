import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { searchPath, startProgram } from '../../../demo/cluster/program.ts';
import { eventually } from '../../support/time/waiting.ts';
import { waveHeader } from '../../browser/calls/tones.ts';
import { unlessEnded } from './foreignPhone.ts';

/** For a telephone that asks for one: a sound server (PulseAudio) whose microphone hears a tone all the time. */
export type SoundCard = {
  /** Where a program finds it. */
  env: Record<string, string>;
  /** The file of all that its loudspeaker has played. */
  played: string;
  stop: () => Promise<void>;
};

const rate = 8_000;
const sound = `rate=${rate} channels=1 format=s16le`;

/** @param folder a new one of its own */
export async function startSoundCard(folder: string, hertz: number): Promise<SoundCard> {
  await mkdir(folder);
  const [server, tap, played] = [join(folder, 'server'), join(folder, 'tap'), join(folder, 'played.wav')];
  const modules = [
    `module-null-sink sink_name=loudspeaker`,
    `module-sine-source source_name=microphone frequency=${hertz}`,
    `module-native-protocol-unix auth-anonymous=1 socket=${server}`,
    `module-simple-protocol-unix socket=${tap} record=1 playback=0 source=loudspeaker.monitor ${sound}`,
  ];
  const options = ['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disable-shm=yes'];
  const program = startProgram('pulseaudio', [...options, ...modules.flatMap((words) => ['-L', words])], {
    cwd: folder,
    env: { PATH: searchPath, HOME: folder, XDG_RUNTIME_DIR: folder },
  });
  const socket = await unlessEnded(
    program,
    eventually(
      () =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const opening = connect(tap, () => resolve(opening));
          opening.once('error', reject);
        }),
    ),
  );
  await writeFile(played, waveHeader(rate, 0));
  const file = createWriteStream(played, { flags: 'a' });
  // That the server ends is known from the program.
  socket.on('error', () => undefined);
  socket.pipe(file);
  return {
    env: { PULSE_SERVER: `unix:${server}`, PULSE_RUNTIME_PATH: folder },
    played,
    async stop() {
      socket.destroy();
      file.end();
      await finished(file);
      await program.stop();
    },
  };
}
