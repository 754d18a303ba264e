import { CommandError } from './commandLine.ts';

/** npm passes on a Ctrl-C that the terminal has already sent: ignore it. */
const sameSignalWithinMs = 500;

/**
 * Calls `stop` when the program is to end: Ctrl-C, SIGTERM, or its terminal was closed.
 * A second Ctrl-C ends it at once.
 */
export function onStopSignal(stop: () => void): void {
  let since: number | null = null;
  const hear = () => {
    if (since === null) stop();
    else if (performance.now() - since > sameSignalWithinMs) process.exit(1);
    since ??= performance.now();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
}

/**
 * When the program is to end, finishes first; then ends it with that code,
 * or with 1 and the reason where it could not finish.
 */
export function finishOnSignal(finish: () => Promise<unknown>, code = 0): void {
  onStopSignal(() => {
    finish().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error instanceof CommandError ? error.message : error);
        process.exit(1);
      },
    );
  });
}
