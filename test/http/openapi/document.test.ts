import { isDeepStrictEqual } from 'node:util';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../src/contract/errors.ts';
import { endpointConditions, webhookEvents } from '../../../src/contract/vocabulary.ts';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { routes } from '../../../src/http/routes.ts';
import { schemaFaults } from '../../support/http/jsonSchema.ts';
import { jsonBodies, smallestBody, withoutValue, withValue } from '../../support/http/routeBodies.ts';
import { serve } from '../serve.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }>;
type Operation = {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type Document = {
  openapi: string;
  info: { version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
};

const document = openApiDocument(routes, {
  version: '0',
  mode: 'embedded',
  publicUrl: null,
  embedOrigins: [],
  isLocal: true,
  hasDemo: false,
}) as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** What a body is refused for by what the gateway knows, so that no schema can say it. */
const beyondSchemas = [
  // Each company chooses its own.
  { path: 'reason', value: 'fishing' },
  { path: 'code', value: 'no_such_code' },
  { path: 'reason', value: 'no_such_code' },
  { path: 'skip_reasons', value: Array(2).fill({ code: 'not_now', label: 'Not now', again_minutes: 5 }) },
  // Numbers are written in many ways.
  { path: 'entries', value: [{ name: 'Grace', phone_number: 'none' }] },
  { path: 'speed_dials', value: [{ name: 'Grace', phone_number: 'none' }] },
  { path: 'tags', value: ['no_such_tag'] },
  // Its catalog tells which CRM systems a gateway knows.
  { path: 'crm_provider', value: 'other' },
  // Whether the country has telephone numbers of its own.
  { path: 'default_country', value: 'XX' },
  // A column becomes one field.
  {
    path: 'mapping',
    value: [
      { column: 0, field: 'phone' },
      { column: 0, field: 'name' },
    ],
  },
  // Time zones come and go.
  { path: 'time_zone', value: 'Berlin' },
  { path: 'time_zone', value: 'Mars/Base' },
  { path: 'callback_time_zone', value: 'Berlin' },
  { path: 'callback_time_zone', value: 'Mars/Base' },
  // Currencies come and go.
  { path: 'currency', value: 'QQQ' },
  // Some stage has to be open.
  { path: 'stages', value: [{ name: 'Won', outcome: 'won' }] },
  // A day that no month has.
  { path: 'due_at', value: '2026-02-30T09:30' },
  { path: 'expected_close', value: '2026-02-30' },
  // The credential, or the secret, may be stored already.
  { path: 'ice_servers', value: [{ urls: ['turn:a'], username: 'u' }] },
  { path: 'ice_servers', value: [{ urls: ['turn:a'] }] },
];

/** Every value under a key, wherever it is. */
function valuesOf(json: unknown, key: string): unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(value, key),
  ]);
}

/** What a body is shown by, with the schema it is to fit. */
function examplesOf(content: Content = {}): { example: unknown; schema: Json }[] {
  return Object.values(content).flatMap(({ schema, example, examples = {} }) => [
    ...(example === undefined ? [] : [{ example, schema }]),
    ...Object.values(examples).map(({ value }) => ({ example: value, schema })),
  ]);
}

function resolve(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);
}

describe('the OpenAPI document', () => {
  it('is served, as 3.1 with the version of the interface', async () => {
    const { url } = await serve();
    const answer = await request(url).get('/openapi.json');
    expect(answer.type).toBe('application/json');
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' } });
  });

  it('has every route of the table and nothing else', () => {
    const described = operations.map(({ path, method }) => `${method} ${path}`).sort();
    expect(described).toEqual(routes.map(({ path, method }) => `${method} ${path}`).sort());
    expect(new Set(described).size).toBe(routes.length);
  });

  it('has every endpoint that the interface names', () => {
    const named = [
      'post /api/integrations/inbound',
      'get /api/integrations/lookup',
      'get /api/integrations/cti/screen-pop',
      'post /api/integrations/cti/click-to-dial',
      'post /api/integrations/connect',
      'get /api/integrations',
      'put /api/integrations',
      'post /api/integrations/test-webhook',
      'post /api/auth/login',
      'get /api/health',
      'get /api/public/platform',
    ];
    expect(operations.map(({ path, method }) => `${method} ${path}`)).toEqual(expect.arrayContaining(named));
  });

  it('gives each operation its own id, a known tag and known security', () => {
    const ids = [
      ...operations.map(({ operation }) => operation),
      ...Object.values(document.webhooks).map(({ post }) => post),
    ];
    expect(new Set(ids.map(({ operationId }) => operationId)).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      for (const scheme of operation.security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });

  it('refers only to what is there', () => {
    const refs = valuesOf(document, '$ref') as string[];
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
      expect({ ref, to: typeof resolve(ref) }).toEqual({ ref, to: 'object' });
    }
    expect(valuesOf(document, '$defs')).toEqual([]);
    const used = new Set(refs.map((ref) => ref.split('/').at(-1)));
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('declares each parameter of a path, and no other', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  it('writes defaults as optional in what is sent', () => {
    const { createAgent } = Object.fromEntries(operations.map(({ operation }) => [operation.operationId, operation]));
    const ref = createAgent?.requestBody?.content['application/json']?.schema['$ref'] as string;
    expect((resolve(ref) as { required: string[] }).required).toEqual(['agent_code', 'name', 'password']);
  });

  it('names every status that a route refuses with as a problem', () => {
    for (const route of routes) {
      const responses = document.paths[route.path]?.[route.method]?.responses ?? {};
      const guarded = route.access.kind === 'company' ? ['401', '403'] : [];
      const refusals = [...(route.refusals ?? []), 'internal_error' as const].map((code) =>
        String(errorCodes[code].status),
      );
      expect(Object.keys(responses)).toEqual(expect.arrayContaining([...guarded, ...refusals]));
    }
  });

  it('describes every refusal as a problem', () => {
    const refusals = operations
      // Its 503 is the health report itself.
      .filter(({ operation }) => operation.operationId !== 'readHealth')
      .flatMap(({ operation }) => Object.entries(operation.responses))
      .filter(([status]) => Number(status) >= 400);
    expect(refusals.length).toBeGreaterThan(routes.length);
    for (const [, { content }] of refusals) expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
  });

  // What CRM systems send is in formats of their own, and what spreadsheets do: no schema describes it.
  it.each(
    operations.filter(
      ({ operation }) =>
        operation.requestBody !== undefined &&
        !['takeCrmNotices', 'takePlatformEvents', 'uploadImport', 'importDoNotDial'].includes(operation.operationId),
    ),
  )('shows a request that is taken for $method $path', ({ path, method, operation }) => {
    const given = examplesOf(operation.requestBody?.content);
    const route = routes.find((one) => one.path === path && one.method === method);
    expect(given).toHaveLength(1);
    for (const { example, schema } of given) {
      expect(route?.body?.safeParse(example)).toMatchObject({ success: true });
      expect(schemaFaults(document, schema, example, 'client')).toEqual([]);
    }
  });

  it.each(operations)('shows an answer as it is described for $method $path', ({ operation }) => {
    const successes = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status));
    expect(successes).toHaveLength(1);
    for (const [, { content }] of successes) {
      const answers = examplesOf(content);
      expect(content === undefined || answers.length > 0).toBe(true);
      for (const { example, schema } of answers) expect(schemaFaults(document, schema, example)).toEqual([]);
    }
  });

  describe.each(jsonBodies)('for the body of $name', ({ name, fields }) => {
    const operation = operations.find(({ path, method }) => name === `${method.toUpperCase()} ${path}`)?.operation;
    const schema = operation?.requestBody?.content['application/json']?.schema;
    const fits = (body: unknown) => schemaFaults(document, schema, body, 'client').length === 0;

    it('names the fields whose values are tried', () => {
      const { properties = {} } = (typeof schema?.['$ref'] === 'string' ? resolve(schema['$ref']) : schema) as {
        properties?: Json;
      };
      const tried = fields.map(({ path }) => path).filter((path) => !path.includes('.'));
      expect(Object.keys(properties).sort()).toEqual(tried.sort());
    });

    it('takes the good ones', () => {
      const single = fields.filter(({ path }) => !fields.some((field) => field.path.startsWith(`${path}.`)));
      for (const { path, good } of single)
        expect([path, fits(withValue(smallestBody(fields, path), path, good))]).toEqual([path, true]);
    });

    it('refuses what validation refuses', () => {
      expect(fits([])).toBe(false);
      expect(fits({ ...smallestBody(fields), colour: 'red' })).toBe(false);
      for (const { path } of fields.filter(({ required }) => required)) {
        expect([path, fits(withoutValue(smallestBody(fields), path))]).toEqual([path, false]);
      }
      for (const { path, bad } of fields) {
        for (const value of bad) {
          const body = withValue(smallestBody(fields, path), path, value);
          const isBeyondSchemas = beyondSchemas.some((one) => one.path === path && isDeepStrictEqual(one.value, value));
          expect({ path, value, taken: fits(body) }).toEqual({ path, value, taken: isBeyondSchemas });
        }
      }
    });
  });

  it('names the rules between fields', () => {
    const fits = (name: string, body: unknown) =>
      schemaFaults(document, { $ref: `#/components/schemas/${name}` }, body, 'client').length === 0;
    expect(fits('UpdateAgent', { sip_user: '1001', sip_secret: 'a secret' })).toBe(true);
    expect(fits('UpdateAgent', { sip_user: null, sip_secret: 'a secret' })).toBe(false);
    expect(fits('LoginRequest', { email: 'ada@acme.example', password: 'a-password' })).toBe(true);
    expect(fits('LoginRequest', { agent_code: null, password: 'a-password' })).toBe(false);
  });

  it.each(Object.entries(document.webhooks))('shows what arrives of %s', (event, { post }) => {
    const [arrives, ...others] = examplesOf(post.requestBody?.content);
    expect(others).toEqual([]);
    expect(schemaFaults(document, arrives?.schema, arrives?.example)).toEqual([]);
    expect(arrives?.example).toMatchObject({ event });
  });

  it('tells of the Idempotency-Key, the replay header and the optional body of connect', () => {
    const click = document.paths['/api/integrations/cti/click-to-dial']?.['post'];
    expect(click?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }]);
    expect(click?.responses['201']).toHaveProperty(['headers', 'Idempotent-Replay']);
    expect(document.paths['/api/integrations/connect']?.['post']?.requestBody?.required).toBe(false);
  });

  it('describes the five webhooks with their headers', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEvents]);
    for (const [event, { post }] of Object.entries(document.webhooks)) {
      const schema = post.requestBody?.content['application/json']?.schema as { properties: Record<string, Json> };
      expect(schema.properties['event']).toMatchObject({ const: event });
      expect(schema.properties['data']).toHaveProperty('properties');
      expect(post.parameters?.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['X-Service-Event', 'X-Service-Company', 'X-Service-Key-Prefix', 'X-Service-Signature']),
      );
    }
  });

  it('tells how the log of webhooks is filtered, and what the settings of the endpoint do', () => {
    const list = document.paths['/api/integrations/webhook-deliveries']?.['get'];
    const filters = ['cursor', 'limit', 'target', 'event', 'state', 'call_id', 'since', 'until'];
    expect(list?.parameters?.map(({ name }) => name)).toEqual(filters);
    for (const name of ['since', 'until']) {
      const parameter = list?.parameters?.find((one) => one.name === name);
      expect(parameter).toMatchObject({
        in: 'query',
        required: false,
        schema: { type: 'string', format: 'date-time' },
      });
    }
    const {
      UpdateIntegration: settings,
      Integration: shown,
      WebhookStatus: status,
    } = document.components.schemas as Record<string, { properties: Record<string, Json>; required?: string[] }>;
    expect(settings?.properties['webhook_max_in_flight']).toMatchObject({
      anyOf: [{ type: 'integer', minimum: 1, maximum: 32 }, { type: 'null' }],
    });
    for (const name of ['webhook_url', 'webhook_secret', 'webhook_enabled', 'webhook_max_in_flight']) {
      expect(settings?.properties[name]).toHaveProperty('description');
      expect(settings?.required ?? []).not.toContain(name);
    }
    expect(shown?.required).toEqual(
      expect.arrayContaining(['webhook_secret_previous_until', 'webhook_enabled', 'webhook_max_in_flight']),
    );
    expect(status?.properties['condition']).toMatchObject({ enum: [...endpointConditions] });
  });

  it('leaves only log-in, health, discovery and what CRM systems and telephony platforms tell or send back, and links to pops and reports, open', () => {
    expect(
      routes
        .filter(({ access }) => access.kind === 'open')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/api/auth/login',
      '/api/health',
      '/api/health/live',
      '/api/integrations/crm/authorize/{provider}/callback',
      '/api/integrations/cti/events/{connector}/{token}',
      '/api/integrations/cti/pop-sessions',
      '/api/integrations/cti/pop-sessions',
      '/api/integrations/inbound/{provider}/{token}',
      '/api/integrations/inbound/{provider}/{token}',
      '/api/public/platform',
      '/api/reports/files/{token}',
    ]);
  });
});

describe('the page of the documentation', () => {
  it('loads nothing from elsewhere and runs nothing inline', async () => {
    const { url } = await serve();
    const page = await request(url).get('/docs');
    expect(page.type).toBe('text/html');
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(assets.length).toBeGreaterThanOrEqual(5);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/[a-z]/);
      expect({ asset, status: (await request(url).get(asset)).status }).toEqual({ asset, status: 200 });
    }
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=/);
  });

  it('serves its three files and nothing else of the package', async () => {
    const { url } = await serve();
    expect((await request(url).get('/docs/start.js')).text).toContain("url: '/openapi.json'");
    for (const other of ['package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json', 'index.html']) {
      expect((await request(url).get(`/docs/${other}`)).status).toBe(404);
    }
  });
});
