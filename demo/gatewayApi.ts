import { Agent, request } from 'undici';
import type { z } from 'zod';
import { loginAnswer, type LoginAnswer, type LoginRequest } from '../src/contract/auth.ts';
import { problem, type Problem } from '../src/contract/problem.ts';
import { CommandError } from './commandLine.ts';

/** At less than half the cost of `fetch`, which would make a busy story measure itself. */
const connections = new Agent({ connections: 64 });

/** Who calls: an agent by token, or the company by its key. Neither: a route that is open. */
export type Caller = { token?: string; key?: string };

/** The gateway understood the request and refused it. */
export class RefusedRequest extends CommandError {
  readonly problem: Problem;

  constructor(what: string, refused: Problem) {
    const faults = refused.errors?.map(({ path, message }) => `\n  ${path}: ${message}`).join('') ?? '';
    super(`${what} was refused with ${String(refused.status)} ${refused.code}: ${refused.detail}${faults}`);
    this.problem = refused;
  }
}

type Ask<A> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  /** Shape of the answer. */
  answer: z.ZodType<A>;
  as?: Caller;
  /** Sent as JSON; a string is sent as it is, as NDJSON. */
  body?: object | string;
};

type Asked = { method: Ask<unknown>['method']; headers: Record<string, string>; body?: string };

/** The gateway's REST interface, as any program of a CRM would call it. */
export class GatewayApi {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Throws RefusedRequest for a problem answer, and CommandError where no gateway answers. */
  async ask<A>({ method, path, answer, as = {}, body }: Ask<A>): Promise<A> {
    const headers: Record<string, string> = {};
    if (as.token !== undefined) headers['authorization'] = `Bearer ${as.token}`;
    if (as.key !== undefined) headers['x-service-api-key'] = as.key;
    if (body !== undefined)
      headers['content-type'] = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const { status, json } = await this.#send(path, { method, headers, ...(text === undefined ? {} : { body: text }) });
    if (status >= 200 && status < 300) return answer.parse(json);
    const refused = problem.safeParse(json);
    if (refused.success) throw new RefusedRequest(`${method} ${path}`, refused.data);
    throw new CommandError(`${method} ${path} answered ${String(status)}: is ${this.url} a Readyline gateway?`);
  }

  /** Logs in; a company is named only where the credentials fit several. */
  async logIn(login: LoginRequest): Promise<LoginAnswer> {
    try {
      return await this.ask({ method: 'POST', path: '/api/auth/login', answer: loginAnswer, body: login });
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      throw new CommandError(`Log-in failed: ${error.problem.detail}`);
    }
  }

  async #send(path: string, asked: Asked): Promise<{ status: number; json: unknown }> {
    try {
      const { statusCode, body } = await request(this.url + path, { ...asked, dispatcher: connections });
      const text = await body.text();
      return { status: statusCode, json: parsed(text) };
    } catch (error) {
      const cause = error instanceof Error ? ` (${error.message})` : '';
      throw new CommandError(`No gateway answers at ${this.url}${cause}. Start one with: npm start`);
    }
  }
}

/** Null: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
