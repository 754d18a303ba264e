import type { Pool, PoolClient, QueryConfig } from 'pg';

/** Keeps what the connections that a pool opens from now on are told: statements, not BEGIN and the like. */
export function keepSent(pool: Pool): QueryConfig[] {
  const sent: QueryConfig[] = [];
  pool.on('connect', (client) => listen(client, sent));
  return sent;
}

function listen(client: PoolClient, sent: QueryConfig[]): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const [config, values] = given;
    const { name, text, values: own } = (typeof config === 'string' ? { text: config, values } : config) as QueryConfig;
    if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|\()/i.test(text))
      sent.push({ ...(name === undefined ? {} : { name }), text, values: own ?? [] });
    return query(...given);
  }) as typeof client.query;
}
