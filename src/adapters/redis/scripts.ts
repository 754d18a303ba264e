import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

/** One atomic verb in Lua; its file's header names keys, arguments and result. */
export type Script = { source: string; sha: string };

type ScriptName = 'absent' | 'claim' | 'commit' | 'due' | 'group' | 'renewLease' | 'restore' | 'retireNode' | 'time';

/** Functions that several scripts share, put before them in this order. */
const includes: Partial<Record<ScriptName, ('agentIds' | 'dropGroup' | 'idle' | 'now' | 'place')[]>> = {
  claim: ['place', 'idle', 'agentIds'],
  commit: ['place', 'idle'],
  due: ['place', 'idle', 'dropGroup'],
  group: ['place', 'idle', 'agentIds', 'dropGroup'],
  restore: ['place', 'idle'],
  renewLease: ['now'],
  retireNode: ['now'],
};

/**
 * Reads `scripts/<name>.lua`, with what it includes; they lie beside this file in the sources and in the build. Throws
 * when missing.
 */
export function loadScript(name: ScriptName): Script {
  const source = [...(includes[name] ?? []).map((included) => `includes/${included}`), name].map(read).join('');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

function read(name: string): string {
  return readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
}

/**
 * Runs a script in one round trip, or two when the server does not know it yet (after its restart).
 * Retrying is safe: a server that does not know the script has done nothing.
 */
export async function runScript(
  redis: Redis | Cluster,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return await redis.eval(script.source, keys.length, ...keys, ...args);
  }
}

/** The result of a script that answers a list of texts. Throws on anything else. */
export function texts(result: unknown): string[] {
  if (!Array.isArray(result) || !result.every((item) => typeof item === 'string')) {
    throw new Error('a Redis script gave an unexpected result');
  }
  return result;
}
