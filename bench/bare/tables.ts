/** Where the bare stack records its calls: the least columns, one index. Made before its first server starts. */
export const bareCallTable = `CREATE TABLE IF NOT EXISTS bare_call (
  id uuid PRIMARY KEY, company_id uuid NOT NULL, agent_id uuid NOT NULL, phone text NOT NULL, state text NOT NULL,
  created_at timestamptz NOT NULL)`;

/** Where the bare sender of webhooks keeps what it sends, likewise. */
export const bareDeliveryTable = `CREATE TABLE IF NOT EXISTS bare_delivery (
  id uuid PRIMARY KEY, origin text NOT NULL, path text NOT NULL, body text NOT NULL, sent_at timestamptz)`;
