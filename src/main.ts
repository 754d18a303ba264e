import type { App } from './app.ts';
import { shutdownLimitMs } from './app/drain.ts';
import { StartError } from './app/startError.ts';
import { addressLines, demoLines, earlierDemoLines } from './app/startupBanner.ts';
import { ConfigError, readConfig, type Config } from './config.ts';

/** Ignore a repeated signal within this time: under npm, Ctrl-C arrives twice. Milliseconds. */
const repeatedSignalMs = 500;
/** A start that is to end ends within this time, whatever it waits for. Milliseconds. */
const startLimitMs = 9_000;

/** Starts the gateway from the environment and stops it on SIGTERM or SIGINT; a second signal stops it at once. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Only now: a wrong setting is told without loading all that would have used it.
  const { createApp } = await import('./app.ts');
  let stoppingSince: number | null = null;
  let hasStarted = false;
  const ending = new AbortController();

  function stop(exitCode: number): void {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), hasStarted ? shutdownLimitMs(config) : startLimitMs).unref();
    if (!hasStarted) ending.abort(new StartError('it was stopped before it had started'));
    void close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }

  /** A start that is under way ends itself, so that it leaves nothing behind. */
  async function close(): Promise<void> {
    const app: App | null = await starting.catch(() => null);
    await app?.close();
  }

  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  const starting = createApp(config, {
    signal: ending.signal,
    onFatal: (reason) => {
      console.error(`The database stopped: ${reason}`);
      stop(1);
    },
  });
  let app: App;
  try {
    app = await starting;
    hasStarted = true;
  } catch (error) {
    if (stoppingSince === null) throw error;
    // It was asked for; `stop` ends the process.
    return;
  }
  if (stoppingSince !== null) return;
  await listen(app, config);
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    const { url } = await app.listen();
    console.log(addressLines(url));
    if (app.demo !== null) console.log(demoLines(url, app.demo, { hasPage: config.isLocal }));
    else if (app.hasEarlierDemo) console.log(earlierDemoLines(config.dataDir));
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Why the address of HOST and PORT cannot be listened on, by error code. */
const listenFaults: Partial<Record<string, string>> = {
  EADDRINUSE: 'another program already listens on this address; set PORT',
  EACCES: 'this user may not listen on this port; set PORT',
  EADDRNOTAVAIL: 'this machine does not have this address; set HOST',
  ENOTFOUND: 'this name has no address; set HOST',
};

/** What is wrong around the gateway is told in one line; what is wrong in it, with its stack. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartError) return `Readyline cannot start: ${error.message}`;
  const fault = error instanceof Error && 'code' in error ? listenFaults[String(error.code)] : undefined;
  if (error instanceof Error && fault !== undefined) return `Readyline cannot start: ${fault} (${error.message})`;
  return error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
