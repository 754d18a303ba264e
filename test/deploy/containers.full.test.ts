import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { root, searchPath } from '../../demo/cluster/program.ts';
import { startRedisProgram } from '../../demo/cluster/redisServer.ts';
import { variables } from '../../src/environment.ts';

const read = (path: string) => readFile(join(root, path), 'utf8');

/** The lines that stand deeper than this one does, as in a YAML file or one of HAProxy's. */
function block(text: string, head: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line === head);
  const depth = (line: string) => line.length - line.trimStart().length;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && depth(line) <= depth(lines[start] ?? ''));
  expect(start, `"${head}" is there`).toBeGreaterThanOrEqual(0);
  return rest.slice(0, end === -1 ? undefined : end).join('\n');
}

/** The names that are set in a block, right below it. */
function names(text: string): string[] {
  return [...text.matchAll(/^ +([A-Z_]+):/gm)].map(([, name = '']) => name);
}

describe('docker-compose.yml', () => {
  it('names every variable that the gateway knows and the image does not set', async () => {
    const given = names(block(block(await read('docker-compose.yml'), '  gateway:'), '    environment:'));
    const image = [...(await read('Dockerfile')).matchAll(/(\w+)=\S+/g)].map(([, name]) => name);
    // The embedded database and the generated secrets lie there; with DATABASE_URL there are none.
    const unused = ['DATA_DIR'];
    const missing = Object.keys(variables.shape).filter((name) => ![...given, ...image, ...unused].includes(name));
    expect(missing).toEqual([]);
  });

  it('finds all that it needs in the .env which the README makes, once', async () => {
    const commands = /^test -e \.env \|\| [^]*?^chmod .+$/m.exec(await read('README.md'))?.[0] ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'readyline-env-'));
    try {
      const make = () => promisify(execFile)('sh', ['-ec', commands], { cwd: folder, env: { PATH: searchPath } });
      await make();
      const made = await readFile(join(folder, '.env'), 'utf8');
      await make();
      expect(await readFile(join(folder, '.env'), 'utf8')).toBe(made);
      const values = new Map([...made.matchAll(/^(\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]));
      const needed = [...(await read('docker-compose.yml')).matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
      expect(needed).not.toHaveLength(0);
      expect(needed.filter((name) => !values.has(name))).toEqual([]);
      for (const [name, value] of values) {
        if (name in variables.shape)
          expect(variables.shape[name as keyof typeof variables.shape].safeParse(value).success, name).toBe(true);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('starts HAProxy with settings that it takes', async () => {
    const balancer = block(await read('docker-compose.yml'), '  balancer:');
    const [, bind = ''] = /READYLINE_BIND: '(.*)'/.exec(balancer) ?? [];
    const files = [...balancer.matchAll(/'\/etc\/readyline\/(\S+?)'/g)].map(([, name = '']) =>
      join('deploy/haproxy', name),
    );
    expect(files).toEqual(['deploy/haproxy/readyline.cfg', 'deploy/haproxy/docker.cfg']);
    const options = { cwd: root, env: { PATH: searchPath, READYLINE_BIND: bind } };
    const checked = await promisify(execFile)('haproxy', ['-c', ...files.flatMap((file) => ['-f', file])], options);
    expect(`${checked.stdout}${checked.stderr}`).toContain('Configuration file is valid');
    expect(`${checked.stdout}${checked.stderr}`).not.toContain('WARNING');
  });

  it('lets HAProxy ask for the service and the port that the gateways have', async () => {
    const compose = await read('docker-compose.yml');
    const [, port] = /PORT=(\d+)/.exec(await read('Dockerfile')) ?? [];
    expect(block(block(compose, '  gateway:'), '    expose:')).toContain(`'${port}'`);
    const config = await read('deploy/haproxy/docker.cfg');
    for (const backend of ['backend rest from rest', 'backend pages from pages', 'backend sockets from sockets']) {
      expect(block(config, backend)).toContain(` gateway:${port} resolvers docker`);
    }
  });

  it('gives no program a secret on its command line, where everybody on the machine could read it', async () => {
    const secret = /\$\{?\w*(?:PASSWORD|SECRET|KEY|TOKEN|AUTH|_URL)/;
    const commands = (await read('docker-compose.yml'))
      .split('\n')
      .filter((line) => /^ +(?:command|entrypoint|test):/.test(line));
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((line) => secret.test(line) || line.endsWith(':'))).toEqual([]);
  });

  it('starts Redis with settings that it takes, and with the password', async () => {
    const compose = await read('docker-compose.yml');
    const target = '/etc/readyline/redis.conf';
    expect(block(block(compose, '  redis:'), '    configs:')).toContain(`target: ${target}`);
    expect(block(compose, '  redis:')).toContain(`command: ['redis-server', '${target}']`);
    const password = 'a-password-of-the-tests';
    const content = block(block(compose, 'configs:'), '    content: |');
    const lines = content.replace(/\$\{REDIS_PASSWORD:\?[^}]*\}/, password).replace(/^ +/gm, '');
    const port = await freePort();
    const input = `${lines}\nport ${String(port)}\nbind 127.0.0.1\n`;
    const server = await startRedisProgram(['-'], { input });
    try {
      await server.says(/Ready to accept connections/);
      const stranger = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
      stranger.on('error', () => undefined);
      await expect(stranger.set('a', 'b')).rejects.toThrow(/NOAUTH/);
      stranger.disconnect();
      const known = new Redis({ port, password });
      expect(await known.config('GET', 'save')).toEqual(['save', '']);
      expect(await known.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      known.disconnect();
    } finally {
      await server.stop();
    }
  });

  it('waits for a gateway that stops for longer than that may take', async () => {
    const [, seconds] = /stop_grace_period: (\d+)s/.exec(block(await read('docker-compose.yml'), '  gateway:')) ?? [];
    expect(Number(seconds)).toBeGreaterThan(30);
  });
});
