/**
 * The URL of a PostgreSQL that this process runs itself. It says everything that the driver would else take from
 * `PGSSLMODE`, `PGOPTIONS` and the like: those are set in the shells of people who work with other servers. What is
 * empty counts as unset there, so the options say again what is so already.
 * @param at of its only user, `readyline`; `directory`: of its unix socket, null: it listens on 127.0.0.1
 */
export function ownServerUrl(at: {
  password: string;
  port: number;
  directory: string | null;
  database: string;
}): string {
  const ours = {
    sslmode: 'disable',
    sslnegotiation: 'postgres',
    options: '-c TimeZone=UTC',
    client_encoding: 'UTF8',
    replication: 'false',
  };
  // Not as of a form, where a blank would become a plus.
  const all = { ...(at.directory === null ? {} : { host: at.directory }), ...ours };
  const query = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `postgresql://readyline:${at.password}@127.0.0.1:${at.port}/${at.database}?${query.join('&')}`;
}
