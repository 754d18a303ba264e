import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../../ports/secrets.ts';

/** OWASP's parameters for argon2id (the library's default kind): 19 MiB, 2 passes, 1 lane. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Node has 4 worker threads, which files and DNS need too. */
const defaultConcurrency = 2;

/**
 * argon2id, `maxConcurrent` (2 by default) at a time, so that a flood of log-ins leaves threads for the rest;
 * and one beside them for known devices.
 */
export function createPasswordHasher(options: { maxConcurrent?: number } = {}): PasswordHasher {
  const gates = { anybody: createGate(options.maxConcurrent ?? defaultConcurrency), known: createGate(1) };
  const nobody = hashOfNobody();
  return {
    hash: (password) => gates.anybody(() => hash(password, parameters)),
    verify: (stored, password, way = 'anybody') => gates[way](() => verify(stored, password)),
    verifyAgainstNobody: async (password, way = 'anybody') => {
      await gates[way](() => verify(nobody, password));
      return false;
    },
  };
}

/** Well-formed, costs as much as a real one, and belongs to no password: salt and hash are random. */
function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism, outputLen } = parameters;
  const costs = `m=${String(memoryCost)},t=${String(timeCost)},p=${String(parallelism)}`;
  return ['', 'argon2id', 'v=19', costs, randomText(16), randomText(outputLen)].join('$');
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}

/** Lets at most `limit` works run at a time; the others wait in the order they came. */
export function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < limit) running += 1;
    // The one that ends hands its place over, so `running` stays as it is.
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
