import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway, type TestCompany } from '../support/gateway/gateway.ts';

const mib = 1_048_576;

describe('a request that is refused before all of it has come', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let listPath: string;

  beforeAll(async () => {
    gateway = await startGateway('memory');
    company = await gateway.company({ slug: 'refused', agents: 1 });
    const { body } = await gateway
      .as(company)
      .post('/api/integrations/cti/connections')
      .send({ connector: 'push' })
      .expect(201);
    listPath = new URL(body.url, gateway.url).pathname;
  });
  afterAll(() => gateway.close());

  const bodies: [what: string, path: () => string, type: string, again: string, status: number][] = [
    ['a file of contacts whose first row does not end', () => '/api/crm/imports', 'text/csv', ',', 400],
    ['a file of contacts of too many rows', () => '/api/crm/imports', 'text/csv', '\n', 400],
    ['a file of numbers that is too long', () => '/api/do-not-dial/import', 'text/csv', ',', 413],
    ['customers of too many lines', () => '/api/integrations/inbound/bulk', 'application/x-ndjson', '\n', 413],
    ['a line of customers that does not end', () => '/api/integrations/inbound/bulk', 'application/x-ndjson', 'x', 413],
    ['JSON that is too long', () => '/api/integrations/inbound', 'application/json', ' ', 413],
    ['a platform’s event that is too long', () => listPath, 'application/json', ' ', 413],
    ['a body of a type that is not taken', () => '/api/crm/imports', 'image/png', 'x', 415],
    ['a body to nowhere', () => '/api/nowhere', 'application/json', ' ', 404],
  ];

  it.each(bodies)(
    '%s: its sender gets to read why, and asks on over the same connection',
    async (_, path, type, again, status) => {
      const client = new Client(gateway.url);
      let connections = 0;
      client.on('connect', () => (connections += 1));
      const headers = { authorization: `Bearer ${company.adminToken}`, 'content-type': type };
      const refused = await client.request({
        method: 'POST',
        path: path(),
        headers,
        body: Buffer.alloc(20 * mib, again),
      });
      expect([refused.statusCode, ((await refused.body.json()) as { status: number }).status]).toEqual([
        status,
        status,
      ]);
      const next = await client.request({ method: 'GET', path: '/api/health' });
      await next.body.dump();
      expect([next.statusCode, connections]).toEqual([200, 1]);
      await client.close();
    },
  );
});
