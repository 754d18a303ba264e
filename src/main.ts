import { createApp, type App } from './app.ts';
import { addressLines, demoLines } from './app/welcome.ts';
import { ConfigError, readConfig } from './config.ts';

/** An orderly shutdown that takes longer than this is cut short. Longer than a webhook attempt (15 s). */
const forceExitAfterMs = 25_000;

/** Starts the gateway from the environment and stops it on SIGTERM or SIGINT; a second signal stops it at once. */
async function main(): Promise<void> {
  let app: App | null = null;
  let stopping = false;

  function stop(exitCode: number): void {
    if (stopping) process.exit(exitCode === 0 ? 1 : exitCode);
    stopping = true;
    setTimeout(() => process.exit(1), forceExitAfterMs).unref();
    void (app?.close() ?? Promise.resolve()).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }

  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  app = await createApp(readConfig(process.env), {
    onFatal: (reason) => {
      console.error(`The database stopped: ${reason}`);
      stop(1);
    },
  });
  const { url } = await app.listen();
  console.log(addressLines(url));
  if (app.demo !== null) console.log(demoLines(url, app.demo));
}

/** What is wrong around the gateway is told in one line; what is wrong in it, with its stack. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError) return `Readyline cannot start: ${error.message}`;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Readyline cannot start: another program already listens on this address (${error.message}); set PORT`;
  }
  return error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
