import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { clickToDialAnswer } from '../../../src/contract/clickToDial.ts';
import { problem } from '../../../src/contract/problem.ts';
import { wholePatienceMs } from '../../support/time/pace.ts';
import type { Click, ClickAnswer, Ledger, Try } from '../ledger.ts';
import type { ChaosCompany } from './company.ts';

/** Where a request goes: a gateway, or the balancer. */
export type Way = { name: string; url: string };

/** The CRM buttons of the companies. */
export class Clicks {
  readonly #ledger: Ledger;
  readonly #connections = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 4_000 });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Clicks once. */
  async click(company: ChaosCompany, way: Way, agentId: string | null = null): Promise<ClickAnswer> {
    return this.#send(company, this.#open(company, agentId, null), way);
  }

  /** Clicks several times at once, or one after the other, under one Idempotency-Key. */
  async clickAgainAndAgain(company: ChaosCompany, ways: readonly Way[]): Promise<void> {
    const click = this.#open(company, null, randomUUID());
    const [first, ...others] = ways;
    if (first === undefined) return;
    await Promise.all([first, ...others.slice(0, 1)].map((way) => this.#send(company, click, way)));
    for (const way of others.slice(1)) await this.#send(company, click, way);
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  #open(company: ChaosCompany, agentId: string | null, key: string | null): Click {
    const click = { id: randomUUID(), companyId: company.id, agentId, key, tries: [] };
    this.#ledger.clicks.push(click);
    return click;
  }

  async #send(company: ChaosCompany, click: Click, { name, url }: Way): Promise<ClickAnswer> {
    const attempt: Try = { via: name, sentAt: this.#ledger.now(), answeredAt: null, answer: null };
    click.tries.push(attempt);
    const answer = await this.#ask(company, click, url);
    attempt.answer = answer;
    attempt.answeredAt = this.#ledger.now();
    return answer;
  }

  async #ask({ key: apiKey }: ChaosCompany, { id, agentId, key }: Click, url: string): Promise<ClickAnswer> {
    const wish = { phone_number: '+15551230001', external_id: id, ...(agentId === null ? {} : { agent_id: agentId }) };
    const headers = {
      'content-type': 'application/json',
      'x-service-api-key': apiKey,
      ...(key === null ? {} : { 'idempotency-key': key }),
    };
    try {
      const { statusCode, body } = await request(`${url}/api/integrations/cti/click-to-dial`, {
        method: 'POST',
        headers,
        body: JSON.stringify(wish),
        dispatcher: this.#connections,
        signal: AbortSignal.timeout(wholePatienceMs()),
      });
      return understood(statusCode, await body.text());
    } catch (error) {
      return { kind: 'broken', detail: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** An answer that no gateway gave is the balancer's, who knows as little as the caller. */
function understood(status: number, text: string): ClickAnswer {
  try {
    const json: unknown = JSON.parse(text);
    const dialed = clickToDialAnswer.safeParse(json);
    if (status === 201 && dialed.success)
      return { kind: 'dialed', callId: dialed.data.call_id, agentId: dialed.data.agent.id };
    return { kind: 'refused', status, code: problem.parse(json).code };
  } catch {
    return { kind: 'broken', detail: `${status} of the balancer` };
  }
}
