import { verify } from '../src/webhooks/verify.ts';

/** What went wrong, said in one line to the person at the terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Runs a program of this folder: `--help` prints the usage; a wrong option ends it with code 2, what the person can
 * put right with code 1 and one line, anything else with its stack.
 */
export function runCommand(usage: string, main: () => Promise<void>): void {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(usage);
    return;
  }
  main().catch((error: unknown) => {
    if (isWrongOption(error)) {
      console.error(`${error.message}\n\n${usage}`);
      process.exit(2);
    }
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(1);
  });
}

/** What was typed, for `parseArgs`: which would refuse a `--password` that starts with a dash, as random ones may. */
export function commandLine(): string[] {
  const typed = process.argv.slice(2);
  return typed.flatMap((argument, index) => {
    if (typed[index - 1] === '--password') return [];
    return argument === '--password' ? [`--password=${typed[index + 1] ?? ''}`] : [argument];
  });
}

/** The value of an option that must be given. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw wrongOption(`--${option} is missing.`);
  return value;
}

/** The whole number that an option holds. */
export function wholeNumber(value: string, option: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw wrongOption(`--${option} must be a whole number from ${String(min)} to ${String(max)}.`);
}

/** The base address that an option holds, without a slash at the end. */
export function baseUrl(value: string, option: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrongOption(`--${option} must be an address such as http://127.0.0.1:3000.`);
  }
  return value.replace(/\/+$/, '');
}

/** A webhook secret; one that cannot be right is better told now than with the first webhook. */
export function webhookSecret(value: string): string {
  try {
    verify('', {}, value);
    return value;
  } catch (error) {
    throw wrongOption(`--secret: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** For an option that does not fit: ends the program with the message, the usage and code 2. */
export function wrongOption(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_PARSE_ARGS_VALUE' });
}

/** Ours, or one of `parseArgs`. */
function isWrongOption(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
