import { createDemoCompany } from '../../../demo/cluster/demoCompany.ts';
import { startCluster, type Cluster, type ClusterOptions } from '../../../demo/cluster/topology.ts';
import { GatewayApi } from '../../../demo/gatewayApi.ts';
import { createDatabase } from '../stores/postgres.ts';
import { redisUrl } from '../stores/redis.ts';

/** Whether the process is there. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A cluster with the demo company in it, on the PostgreSQL and Redis of the test run. */
export class ClusterRoom {
  readonly cluster: Cluster;
  /** Of the agent `a100`. */
  readonly token: string;
  readonly #dropDatabase: () => Promise<void>;

  private constructor(cluster: Cluster, token: string, dropDatabase: () => Promise<void>) {
    this.cluster = cluster;
    this.token = token;
    this.#dropDatabase = dropDatabase;
  }

  static async open(options: ClusterOptions): Promise<ClusterRoom> {
    const database = await createDatabase();
    const cluster = await startCluster({ ...options, databaseUrl: database.url, redisUrl: await redisUrl() });
    const { slug, logins } = await createDemoCompany(cluster.url, cluster.platformToken);
    const [, agent] = logins;
    if (agent === undefined) throw new Error('the demo company has agents');
    const login = { agent_code: agent.login, company_slug: slug, password: agent.password };
    const { token } = await new GatewayApi(cluster.url).logIn(login);
    return new ClusterRoom(cluster, token, database.drop);
  }

  async close(): Promise<void> {
    await this.cluster.stop();
    await this.#dropDatabase();
  }
}
