import pino, { type DestinationStream, type Logger } from 'pino';
import { terminalLine } from './terminalLine.ts';

/**
 * JSON lines on standard output; where that is a terminal, short ones, without the requests that were served. Nothing
 * that identifies a customer is written: of errors only name, code, message and stack, with phone numbers masked.
 * @param level `silent` writes nothing
 * @param destination where lines go instead, for tests
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination ?? (process.stdout.isTTY ? forPeople(standardOutput()) : standardOutput()),
  );
}

function forPeople(output: DestinationStream): DestinationStream {
  return {
    write(json) {
      const line = terminalLine(json);
      if (line !== null) output.write(line);
    },
  };
}

/** Log lines that may wait for a slow or full output, in bytes; beyond it the newest are dropped. */
const maxWaiting = 8 * 1024 * 1024;

/**
 * A log that cannot be written (a full disk) must not end calls or block the exit: lines wait and are tried again with
 * later ones, and at exit the rest is dropped.
 */
function standardOutput(): DestinationStream {
  // Not synchronous: a slow terminal or pipe must not block requests. Flushed when the process exits.
  const output = pino.destination({ dest: 1, sync: false, maxLength: maxWaiting });
  let fails = false;
  output.on('error', () => (fails = true));
  output.on('write', () => (fails = false));
  // At exit it would retry for ever, and block the exit.
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
