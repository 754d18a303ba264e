import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * JSON lines on standard output. What identifies a customer does not get in: errors are written by name, code,
 * message and stack only, and whatever looks like a phone number in them is masked.
 * @param level `silent` writes nothing
 * @param destination where lines go instead, for tests
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    // Not synchronous: a slow terminal or pipe must not hold requests up. Flushed when the process exits.
    destination ?? standardOutput(),
  );
}

/** Lines that wait for a slow or full output; the newest are dropped beyond. In bytes. */
const maxWaiting = 8 * 1024 * 1024;

/**
 * A log that cannot be written, as on a full disk, ends no calls and holds up no exit: lines wait and are tried again
 * with the next ones, and what the end of the process finds unwritable is left.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: maxWaiting });
  let fails = false;
  output.on('error', () => (fails = true));
  output.on('write', () => (fails = false));
  // At exit it would try for ever, and so would the exit.
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!fails) flush();
  };
  return output;
}

type DescribedError = { type: string; message: string; code?: string; stack?: string; cause?: DescribedError };

const maxCauses = 4;

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: mask(String(error)) };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const stack = error.stack === undefined ? {} : { stack: mask(error.stack) };
  const cause =
    error.cause === undefined || depth === maxCauses ? {} : { cause: describeError(error.cause, depth + 1) };
  return { type: error.name, message: mask(error.message), ...code, ...stack, ...cause };
}

/** `+15551230001` → `+15…01`; also as a URL has it. */
function mask(text: string): string {
  return text.replace(/(\+|%2B)(\d{2})\d{3,11}(\d{2})(?!\d)/gi, '$1$2…$3');
}
