// A company that asks for too much, as hard as it can, from a process of its own; and a CRM that answers with too much.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { serveVerbs } from '../worker.ts';

/** A body told by its parts: it may be too large to be sent between processes. */
export type Repeated = { head?: string; again: string; times: number; tail?: string };
export type HostileRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string | Repeated;
};
export type Attack = {
  name: string;
  /** Sent in turn, over and over. */
  requests: HostileRequest[];
  atOnce: number;
};
export type Hostile = {
  /** Resolves with the base URL of a CRM each of whose answers has as many and as long fields as it may. */
  playCrm(nothing: null): Promise<string>;
  /**
   * Attacks for so long, and resolves when everything is answered: how often with which status;
   * 0: the connection was ended.
   */
  attack(options: Attack & { url: string; seconds: number }): Promise<Record<number, number>>;
  /** Computes for so long, and asks nobody for anything: what a busy core costs by itself. */
  compute(options: { seconds: number }): Promise<null>;
};

// Whoever attacks does so from another machine: what is left of this one is enough to keep the gateway as busy as it
// lets itself be kept.
setPriority(constants.priority.PRIORITY_LOW);

/** The gateway reads no more of an answer. Bytes. */
const answerBytes = 1_048_576;

const connections = new Agent({ connections: 128, headersTimeout: 120_000, bodyTimeout: 120_000 });

serveVerbs({
  async playCrm() {
    const keys = Object.fromEntries(Array.from({ length: 24_000 }, (_, n) => [`k${n}`, n]));
    const besides = JSON.stringify({ id: '1', name: '', ...keys }).length;
    const answer = JSON.stringify({ id: '1', name: 'n'.repeat(answerBytes - besides), ...keys });
    const server = createServer((asked, response) => {
      asked.resume();
      asked.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
    });
    server.keepAliveTimeout = 65_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },

  async compute({ seconds }: { seconds: number }) {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const pause = performance.now() + 50;
      while (performance.now() < pause);
      await new Promise(setImmediate);
    }
    return null;
  },

  async attack({ url, requests, atOnce, seconds }: Attack & { url: string; seconds: number }) {
    const wired = requests.map(({ body, ...rest }) => ({
      ...rest,
      body: body === undefined ? undefined : Buffer.from(textOf(body)),
    }));
    const answers: Record<number, number> = {};
    const until = performance.now() + seconds * 1_000;
    let sent = 0;
    const attacker = async () => {
      while (performance.now() < until) {
        const next = wired[sent % wired.length];
        sent += 1;
        if (next === undefined) return;
        const status = await send(url, next);
        answers[status] = (answers[status] ?? 0) + 1;
        // Whoever is refused at once may try as hard as others, no harder.
        if (status === 429) await delay(10);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, attacker));
    return answers;
  },
} satisfies Hostile);

function textOf(body: string | Repeated): string {
  return typeof body === 'string' ? body : `${body.head ?? ''}${body.again.repeat(body.times)}${body.tail ?? ''}`;
}

async function send(
  url: string,
  { path, body, ...rest }: Omit<HostileRequest, 'body'> & { body: Buffer | undefined },
): Promise<number> {
  try {
    const answer = await request(url + path, {
      ...rest,
      ...(body === undefined ? {} : { body }),
      dispatcher: connections,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  }
}
