import type { z } from 'zod';
import { loginAnswer, type LoginAnswer, type LoginRequest } from '../src/contract/auth.ts';
import { problem, type Problem } from '../src/contract/problem.ts';
import { CommandError } from './commandLine.ts';

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
    if (body !== undefined) headers['content-type'] = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const response = await this.#send(path, { method, headers, ...(text === undefined ? {} : { body: text }) });
    const json: unknown = await response.json().catch(() => null);
    if (response.ok) return answer.parse(json);
    const refused = problem.safeParse(json);
    if (refused.success) throw new RefusedRequest(`${method} ${path}`, refused.data);
    throw new CommandError(`${method} ${path} answered ${String(response.status)}: is ${this.url} a Readyline gateway?`);
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

  async #send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(this.url + path, init);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      throw new CommandError(`No gateway answers at ${this.url}${cause}. Start one with: npm start`);
    }
  }
}
