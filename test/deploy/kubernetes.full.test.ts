import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { root, searchPath } from '../../demo/cluster/program.ts';
import { variables } from '../../src/environment.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

type Probe = { httpGet: { path: string; port: string }; periodSeconds?: number; failureThreshold?: number };
type Container = {
  name: string;
  image: string;
  args?: string[];
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  securityContext: Record<string, unknown>;
};
type Pod = {
  terminationGracePeriodSeconds: number;
  securityContext: { runAsNonRoot: boolean; runAsUser: number };
  containers: [Container];
};
type Manifest = {
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: Record<string, unknown> & {
    selector?: Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: Pod };
  };
};

const folder = join(root, 'deploy/kubernetes');
const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
const read = (path: string) => readFile(join(root, path), 'utf8');
const manifestsIn = async (file: string) =>
  parseAllDocuments(await readFile(join(folder, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
const { resources, ...kustomization } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8')) as {
  resources: string[];
  configMapGenerator: { name: string; files: string[] }[];
  images: { name: string }[];
};
const manifests = (await Promise.all(resources.map(manifestsIn))).flat();

const one = (kind: string, name: string): Manifest => {
  const [found, ...more] = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  expect(more).toEqual([]);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const podOf = (name: string) => one('Deployment', name).spec.template!;
const gatewayContainer = podOf('readyline').spec.containers[0];

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway('memory');
});
afterAll(() => gateway.close());

describe('the manifests for Kubernetes', () => {
  it('are all among the resources, and each is there once', () => {
    expect(resources.toSorted()).toEqual(files.filter((file) => file !== 'kustomization.yaml').toSorted());
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(['startupProbe', 'livenessProbe', 'readinessProbe'] as const)(
    'ask what a gateway answers: %s',
    async (probe) => {
      const { path, port } = gatewayContainer[probe]!.httpGet;
      expect(gatewayContainer.ports.map(({ name }) => name)).toContain(port);
      // A database that is busy with other tests may keep it waiting.
      await eventually(async () => (await gateway.api.get(path)).status === 200);
    },
  );

  it('start a gateway anew only where nothing answers at all, and send it nothing while it is unwell or stops', () => {
    expect(gatewayContainer.livenessProbe.httpGet.path).toBe('/api/health/live');
    expect(gatewayContainer.readinessProbe.httpGet.path).toBe('/api/health');
  });

  it('set variables that the gateway knows, and no secret', () => {
    for (const { name } of gatewayContainer.env) expect(Object.keys(variables.shape)).toContain(name);
    expect(gatewayContainer.env.filter(({ name }) => /PASSWORD|SECRET|KEY|TOKEN|_URL/.test(name))).toEqual([]);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('wait for a gateway that stops for longer than that may take', () => {
    const drain = Number(gatewayContainer.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value);
    // As docs/operating.md says: 25 s, and with Redis 18 s for the softphones.
    expect(podOf('readyline').spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 18 + 25);
  });

  it('use the port of the image, and its user', async () => {
    const image = await read('Dockerfile');
    expect(image).toContain(`PORT=${String(gatewayContainer.ports[0]?.containerPort)}`);
    expect(image).toContain('USER node');
    for (const name of ['readyline', 'readyline-balancer']) {
      const { containers, securityContext } = podOf(name).spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it.each([
    ['Service', 'readyline-gateways', 'readyline'],
    ['Service', 'readyline', 'readyline-balancer'],
    ['PodDisruptionBudget', 'readyline', 'readyline'],
    ['PodDisruptionBudget', 'readyline-balancer', 'readyline-balancer'],
  ])('have the %s %s choose the pods of %s', (kind, name, deployment) => {
    const { selector = {} } = one(kind, name).spec;
    expect(selector['matchLabels'] ?? selector).toEqual(podOf(deployment).metadata.labels);
  });

  it('grow by a metric that the gateway tells, and never below what the loss of one needs', async () => {
    const { maxReplicas, metrics, minReplicas, scaleTargetRef } = one('HorizontalPodAutoscaler', 'readyline').spec as {
      minReplicas: number;
      maxReplicas: number;
      scaleTargetRef: { name: string };
      metrics: { pods?: { metric: { name: string } } }[];
    };
    expect(one('Deployment', scaleTargetRef.name).kind).toBe('Deployment');
    expect(minReplicas).toBeGreaterThanOrEqual(2);
    const { text } = await gateway.api.get('/metrics').expect(200);
    for (const { pods } of metrics) if (pods !== undefined) expect(text).toContain(`# TYPE ${pods.metric.name} gauge`);
    // As many as HAProxy has places for.
    const config = await read('deploy/haproxy/kubernetes.cfg');
    for (const [, places] of config.matchAll(/server-template gateway (\d+) /g))
      expect(Number(places)).toBeGreaterThan(maxReplicas);
  });

  it('have HAProxy take the settings that they bring, and ask for the service and the port that the gateways have', async () => {
    const [settings] = kustomization.configMapGenerator;
    const brought = new Map(settings?.files.map((file) => file.split('=') as [string, string]));
    const { args = [], env } = podOf('readyline-balancer').spec.containers[0];
    const paths = args
      .filter((argument) => argument.startsWith('/etc/readyline/'))
      .map((path) => join('deploy/kubernetes', brought.get(path.replace('/etc/readyline/', '')) ?? 'missing'));
    expect(paths).toEqual(['deploy/haproxy/readyline.cfg', 'deploy/haproxy/kubernetes.cfg']);
    const options = {
      cwd: root,
      env: { PATH: searchPath, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    };
    const checked = await promisify(execFile)('haproxy', ['-c', ...paths.flatMap((file) => ['-f', file])], options);
    expect(`${checked.stdout}${checked.stderr}`).toContain('Configuration file is valid');
    expect(`${checked.stdout}${checked.stderr}`).not.toContain('WARNING');
    const { metadata, spec } = one('Service', 'readyline-gateways');
    const [{ port }] = spec['ports'] as [{ port: number }];
    expect(
      [...(await read('deploy/haproxy/kubernetes.cfg')).matchAll(/server-template gateway \d+ (\S+) /g)].map(
        ([, address]) => address,
      ),
    ).toEqual(Array.from({ length: 4 }, () => `${metadata.name}:${String(port)}`));
  });
});
