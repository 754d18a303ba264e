import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, searchPath, startProgram, type Program } from '../../demo/cluster/program.ts';
import { isThere } from '../support/gateway/clusterRoom.ts';
import { eventually } from '../support/time/waiting.ts';

/** The ids of the processes that the program has named so far, by what they are. */
function processesOf({ stdout }: Program): Map<string, number> {
  const named = stdout.matchAll(/^cluster: (.+?) +process (\d+)$/gm);
  return new Map([...named].map(([, part = '', pid]) => [part, Number(pid)]));
}

describe('npm run cluster', () => {
  let directory: string;
  const running: Program[] = [];
  /** As npm starts it, with an own directory for temporary files. */
  const start = (...args: string[]): Program => startWith(searchPath, ...args);
  const startWith = (path: string, ...args: string[]): Program => {
    const env = { PATH: path, TMPDIR: directory };
    const program = startProgram(process.execPath, [join(root, 'scripts/run.mjs'), 'demo/cluster.ts', ...args], {
      env,
    });
    running.push(program);
    return program;
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'readyline-cluster-'));
  });
  afterEach(async () => {
    for (const program of running.splice(0)) if (!program.hasEnded) await program.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('prints where everything is, starts a killed gateway again, and stops all of it on Ctrl-C', async () => {
    const cluster = start('--gateways', '2', '--port', '0');
    const [, url] = await cluster.says(/^Readyline is at (http:\S+),/m);
    await cluster.says(/Ctrl-C stops everything/);
    const processes = processesOf(cluster);
    expect([...processes.keys()]).toEqual(['Redis', 'HAProxy', 'PostgreSQL', 'gateway g1', 'gateway g2']);
    const [, password] = await cluster.says(/admin@demo\.example +(\S+)/);
    const loggedIn = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@demo.example', password }),
    });
    expect(loggedIn.status).toBe(200);

    process.kill(processes.get('gateway g2') ?? 0, 'SIGKILL');
    const [, again] = await cluster.says(/gateway g2 is process (\d+) now/);
    const { code, signal, stdout } = await cluster.kill('SIGINT');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout.trimEnd().endsWith('cluster: everything is stopped')).toBe(true);
    expect([...processes.values(), Number(again)].filter(isThere)).toEqual([]);
  });

  it('without HAProxy prints the address of each gateway, and all of them know the demo company', async () => {
    for (const name of ['redis-server', 'valkey-server']) {
      const file = searchPath
        .split(delimiter)
        .map((folder) => join(folder, name))
        .find(existsSync);
      if (file !== undefined) await symlink(file, join(directory, name));
    }
    const cluster = startWith(directory, '--gateways', '2');
    await cluster.says(/Ctrl-C stops everything/);
    expect([...processesOf(cluster).keys()]).toEqual(['Redis', 'PostgreSQL', 'gateway g1', 'gateway g2']);
    await cluster.says(/^cluster: haproxy is not installed: each gateway is reached at its own address/m);
    const [, password] = await cluster.says(/admin@demo\.example +(\S+)/);
    const urls = [...cluster.stdout.matchAll(/^cluster: g\d is at (http:\S+)$/gm)].map(([, url]) => url);
    expect(urls).toHaveLength(2);
    expect(cluster.stdout).toContain(`Readyline is at ${urls[0]},`);
    for (const url of urls) {
      const body = JSON.stringify({ email: 'admin@demo.example', password });
      const { status } = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(status).toBe(200);
    }
  });

  it('that is stopped while it starts leaves nothing behind', async () => {
    const cluster = start('--gateways', '2', '--port', '0');
    await cluster.says(/PostgreSQL +process/);
    const { code } = await cluster.kill('SIGINT');
    expect(code).toBe(0);
    expect([...processesOf(cluster).values()].filter(isThere)).toEqual([]);
  });

  it('leaves nothing behind either when Ctrl-C is pressed again and again', async () => {
    const cluster = start('--gateways', '1', '--port', '0');
    await cluster.says(/gateway g1 +process/);
    const processes = [...processesOf(cluster).values()];
    const impatience = setInterval(() => cluster.child.kill('SIGINT'), 50);
    await cluster.ended.finally(() => clearInterval(impatience));
    await eventually(() => !processes.some(isThere));
  });

  it('leaves no process behind when it is killed itself', async () => {
    const cluster = start('--gateways', '1', '--port', '0');
    await cluster.says(/gateway g1 +process/);
    const processes = [...processesOf(cluster).values()];
    cluster.child.kill('SIGKILL');
    await eventually(() => !processes.some(isThere));
  });

  it('says in one line that redis-server is missing', async () => {
    const { code, stderr } = await startWith('/nonexistent', '--port', '0').ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'redis-server is not installed. Install Redis 7 (Debian: apt-get install redis-server) and start again.\n',
    );
  });

  it('says in one line that its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const { code, stderr } = await start('--port', String(port)).ended;
      expect(code).toBe(1);
      expect(stderr).toBe(`another program already listens on port ${port}; choose another with --port.\n`);
    } finally {
      other.close();
    }
  });
});
