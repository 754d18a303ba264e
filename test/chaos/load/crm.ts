import { Agent, request } from 'undici';
import { wholePatienceMs } from '../../support/time/pace.ts';
import type { Ledger } from '../ledger.ts';
import type { Way } from './clicks.ts';
import type { ChaosCompany } from './company.ts';

/** The rest of what a CRM does all day: pushes customers and looks them up. Counted by status. */
export class Crm {
  readonly #ledger: Ledger;
  readonly #connections = new Agent({ connections: 32, pipelining: 1, keepAliveTimeout: 4_000 });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Pushes one of a hundred customers. */
  async push(company: ChaosCompany, { url }: Way): Promise<void> {
    const body = JSON.stringify({
      phone_number: somePhone(),
      data: { name: 'Grace Hopper', open_tickets: 2 },
      tier: 'gold',
    });
    await this.#send('push', `${url}/api/integrations/inbound`, { method: 'POST', body, company });
  }

  async lookUp(company: ChaosCompany, { url }: Way): Promise<void> {
    await this.#send('lookup', `${url}/api/integrations/lookup?phone=${encodeURIComponent(somePhone())}`, {
      method: 'GET',
      company,
    });
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  async #send(
    what: string,
    url: string,
    asked: { method: 'GET' | 'POST'; body?: string; company: ChaosCompany },
  ): Promise<void> {
    const { company, ...rest } = asked;
    const headers = { 'content-type': 'application/json', 'x-service-api-key': company.key };
    try {
      const { statusCode, body } = await request(url, {
        ...rest,
        headers,
        dispatcher: this.#connections,
        signal: AbortSignal.timeout(wholePatienceMs()),
      });
      await body.dump();
      this.#ledger.count(`${what} ${statusCode}`);
    } catch {
      this.#ledger.count(`${what} broken`);
    }
  }
}

function somePhone(): string {
  return `+155512300${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`;
}
