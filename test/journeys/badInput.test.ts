import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { platformToken } from '../support/gateway/gateway.ts';
import {
  bearer,
  keyed,
  knownPhone,
  startPopulatedGateway,
  type PopulatedGateway,
} from '../support/gateway/populatedGateway.ts';
import { expectProblem } from '../support/http/problems.ts';
import { jsonBodies, smallestBody, withoutValue, withValue, type JsonObject } from '../support/http/routeBodies.ts';
import { eventually } from '../support/time/waiting.ts';
import {
  fittingCredentials,
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
} from '../support/http/routeRequests.ts';

const mebibyte = 1024 * 1024;
const nobodys = '00000000-0000-4000-8000-000000000000';
const namesOfObject = Object.getOwnPropertyNames(Object.prototype);

let world: PopulatedGateway;

beforeAll(async () => {
  world = await startPopulatedGateway();
  const asAdmin = bearer(world.ours.adminToken);
  // Requests are about contacts and a call that are made for them: that the company has some is so from the beginning.
  await world.gateway.api.post('/api/crm/contacts').set(asAdmin).send({ name: 'Grace' }).expect(201);
  await routeRequests['POST /api/calls/{id}/left']?.(world);
  await eventually(async () => {
    const { body } = await world.gateway.api.get('/api/integrations/webhook-deliveries').set(asAdmin).expect(200);
    return body.deliveries.every(({ state }: { state: string }) => state === 'delivered');
  });
});
afterAll(() => world.close());

/** Whatever the tests of this group send, all is as it was afterwards. */
function leavesEverythingAsItWas(): void {
  let before: unknown;
  beforeAll(async () => {
    before = await everything();
  });
  afterAll(async () => {
    expect(await everything()).toEqual(before);
    // The gateway runs in this very process.
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(namesOfObject);
  });
}

/** All of our company that a request could change, and the list of companies. */
async function everything(): Promise<unknown> {
  const { gateway, ours, agent, deliveryId } = world;
  const asAdmin = bearer(ours.adminToken);
  const paths = [
    ...[
      '/api/company',
      '/api/telephony',
      '/api/integrations',
      '/api/agents?limit=200',
      '/api/calls',
      `/api/agents/${agent.id}/state`,
    ],
    `/api/integrations/lookup?phone=%2B${knownPhone.slice(1)}`,
    ...['/api/integrations/webhook-deliveries', `/api/integrations/webhook-deliveries/${deliveryId}`],
  ];
  const answers = await Promise.all([
    ...paths.map((path) => gateway.api.get(path).set(asAdmin).expect(200)),
    gateway.api.get('/api/companies').set(bearer(platformToken)).expect(200),
  ]);
  return answers.map((answer) => answer.body as unknown);
}

/** The route's usual request with something else in its place. */
async function sendTo(
  name: RouteName,
  change: { body?: JsonObject; raw?: string | Uint8Array<ArrayBuffer>; path?: string },
  headers: Record<string, string> = {},
): Promise<RouteAnswer> {
  const request = await routeRequests[name]?.(world);
  if (request === undefined) throw new Error(`${name} has no request`);
  return send(world.gateway.url, name, { ...request, ...change }, { ...fittingCredentials(name, world), ...headers });
}

/** The paths that a refused body is blamed for. */
function blamed(answer: RouteAnswer): string[] {
  return [...new Set((expectProblem(answer, 400, 'invalid_request').errors ?? []).map(({ path }) => path))];
}

/** That the usual request still gets its usual answer. */
async function expectServed(name: RouteName): Promise<void> {
  const answer = await sendTo(name, {});
  const code = name.endsWith('/click-to-dial') ? 'agent_not_ready' : undefined;
  const isServed = answer.status < 300;
  expect([isServed || code !== undefined, isServed ? undefined : answer.body['code']]).toEqual([true, code]);
}

/**
 * What one reader decides for every route: each route shows that it has the reader by the first,
 * and the full run shows all of them at each.
 */
function firstAndOthers<T>(values: readonly T[], define: (value: T, tags: string[]) => void): void {
  for (const [index, value] of values.entries()) define(value, index === 0 ? [] : ['full']);
}

describe.each(jsonBodies)('the body of $name', ({ name, fields }) => {
  leavesEverythingAsItWas();
  const smallest = smallestBody(fields);

  firstAndOthers(
    ['{', '{"a":}', '{"a":1,}', "{'a':1}", 'nonsense', '{"a":"\n"}', '\u0000', '{}{}', '{"a":1e}', '[1', 'NaN'],
    (raw, tags) => {
      it(`is refused as malformed: ${JSON.stringify(raw)}`, { tags }, async () => {
        expectProblem(await sendTo(name, { raw }), 400, 'malformed_json');
      });
    },
  );

  it('is refused when it is not UTF-8', async () => {
    const raw = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    expectProblem(await sendTo(name, { raw }), 400, 'malformed_json');
  });

  firstAndOthers(['[]', '"text"', '7', 'null', 'true', '[{}]'], (raw, tags) => {
    it(`is refused when it is no object: ${raw}`, { tags }, async () => {
      expectProblem(await sendTo(name, { raw }), 400, 'invalid_request');
    });
  });

  it('is refused when it is missing, unless it is optional', async () => {
    const { path } = (await routeRequests[name]?.(world)) ?? { path: '' };
    const answer = await send(world.gateway.url, name, { path }, fittingCredentials(name, world));
    // Connect may come without a body.
    if (name === 'POST /api/integrations/connect') expect(answer.status).toBe(200);
    else expectProblem(answer, 400, 'invalid_request');
  });

  it('must have every field that is required', async () => {
    for (const { path } of fields.filter((field) => field.required)) {
      expect(blamed(await sendTo(name, { body: withoutValue(smallest, path) }))).toEqual([path]);
    }
  });

  it('takes no value of a wrong type or out of range, and says where', async () => {
    for (const { path, bad } of fields) {
      for (const value of bad) {
        const body = withValue(smallestBody(fields, path), path, value);
        const places = blamed(await sendTo(name, { body }));
        const blamedAlone = places.length === 1 && places[0]?.startsWith(path) === true;
        expect({ value, places, blamedAlone }).toEqual({ value, places, blamedAlone: true });
      }
    }
  });

  firstAndOthers(
    ['__proto__', '', 'constructor', 'toString', 'hasOwnProperty', 'colour', 'x'.repeat(10_000)],
    (key, tags) => {
      it(`takes no field that nobody knows: ${key.slice(0, 20)}`, { tags }, async () => {
        // Not as a literal: __proto__ must be a key as it is in JSON.
        const raw = JSON.stringify({ '?': { polluted: true }, ...smallest }).replace('"?"', JSON.stringify(key));
        expect(blamed(await sendTo(name, { raw }))).toEqual([key.slice(0, 100)]);
      });
    },
  );

  it('takes no U+0000 and no half of a surrogate pair in any text or key', async () => {
    for (const { path, good } of fields) {
      for (const text of ['a\u0000b', '\ud83d', '\ude00 first', 'x\udbff']) {
        const value = typeof good === 'object' && good !== null ? { deep: [{ [text]: 1 }] } : text;
        const body = withValue(smallestBody(fields, path), path, value);
        expectProblem(await sendTo(name, { body }), 400, 'invalid_request');
      }
    }
  });

  firstAndOthers([65, 10_000, 200_000], (depth, tags) => {
    it(`is not nested ${depth} levels deep`, { tags }, async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const nest = (smallestKey: string) => `{"${smallestKey}":${open.repeat(depth)}1${close.repeat(depth)}}`;
        const answer = await sendTo(name, { raw: nest('data') });
        // The longest of them are too large before they are too deep.
        if (answer.status === 413) expectProblem(answer, 413, 'payload_too_large');
        else expectProblem(answer, 400, 'invalid_request');
      }
    });
  });

  it('is at most 1 MiB, told or not', async () => {
    const raw = JSON.stringify(smallest).padEnd(mebibyte + 1);
    expectProblem(await sendTo(name, { raw }), 413, 'payload_too_large');
  });

  firstAndOthers(
    ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'],
    (contentType, tags) => {
      it(`is not ${contentType}`, { tags }, async () => {
        expectProblem(await sendTo(name, {}, { 'content-type': contentType }), 415, 'unsupported_media_type');
      });
    },
  );
});

describe('after all those bodies', () => {
  it.each(jsonBodies)('$name takes the next good one', ({ name }) => expectServed(name));

  it.each(jsonBodies)('$name takes null in a field that may be left out as its absence', async ({ name, fields }) => {
    for (const { path } of fields.filter((field) => field.nullIsAbsent)) {
      const usual = await routeRequests[name]?.(world);
      const answer = await sendTo(name, { ...usual, body: withValue(usual?.body ?? {}, path, null) });
      // A click that names nobody asks for whoever is Ready, and nobody is.
      const isServed =
        answer.status < 300 || ['agent_not_ready', 'no_ready_agent'].includes(String(answer.body['code']));
      expect([path, isServed, answer.text]).toEqual([path, true, answer.text]);
    }
  });
});

const badLimits = ['', '0', '-1', '201', '1.5', 'ten', 'NaN', 'Infinity', '1e400', '9'.repeat(30), '%00', '5;DROP'];
const badUuids = ['', '17', 'null', 'undefined', `${nobodys}x`, '%00', '..%2f..', "'OR'1'='1"];
const badChoices = ['', 'nonsense', '%00', '%F0%9F%98%80'];
const badTimes = ['', 'yesterday', '1795258800000', '2026-11-21', '2026-13-01T00:00:00Z', '2026-11-21T09:00:00', '%00'];
const badPhones = ['', '1'.repeat(65)];

/** Every parameter of every query string, with values that none takes. */
const queries: Partial<Record<RouteName, { given: string; parameters: Record<string, readonly string[]> }>> = {
  // Their phone is any text, for the sake of format=flat; what is no number is shown below.
  'GET /api/integrations/lookup': { given: 'phone=%2B15551230001&', parameters: { phone: [], format: badChoices } },
  'GET /api/integrations/cti/screen-pop': {
    given: 'phone=%2B15551230001&',
    parameters: { phone: [], format: badChoices },
  },
  'DELETE /api/integrations/inbound': { given: 'phone=%2B15559990000&', parameters: { phone: badPhones } },
  'GET /api/calls': {
    given: '',
    parameters: {
      ...{ cursor: badUuids, limit: badLimits, agent_id: badUuids, phone: badPhones },
      ...{
        state: badChoices,
        direction: badChoices,
        end_reason: badChoices,
        result: badChoices,
        q: ['x'.repeat(201)],
        sip_call_id: ['', 'a%09b', '%00', '%C3%A4', 'x'.repeat(256)],
        since: badTimes,
        until: badTimes,
      },
    },
  },
  'GET /api/me/may-dial': { given: 'phone=%2B15551230001&', parameters: { phone: badPhones } },
  'GET /api/do-not-dial': {
    given: '',
    parameters: { cursor: ['', 'x'.repeat(401), 'nonsense'], limit: badLimits, q: ['x'.repeat(65)] },
  },
  'GET /api/agents': { given: '', parameters: { cursor: badUuids, limit: badLimits } },
  'GET /api/agents/{id}/timeline': { given: '', parameters: { since: badTimes, until: badTimes } },
  'GET /api/integrations/webhook-deliveries': {
    given: '',
    parameters: { cursor: badUuids, limit: badLimits, event: badChoices, state: badChoices, call_id: badUuids },
  },
};

/** Telephony platforms add parameters of their own, such as `nocache`. */
const forPlatforms: ReadonlySet<RouteName> = new Set([
  'GET /api/integrations/lookup',
  'GET /api/integrations/cti/screen-pop',
]);

describe.each(Object.entries(queries) as [RouteName, NonNullable<(typeof queries)[RouteName]>][])(
  'the query of %s',
  (name, { given, parameters }) => {
    leavesEverythingAsItWas();
    const path = name.slice(name.indexOf('/')).replace('{id}', nobodys);
    const ask = (query: string) => sendTo(name, { path: `${path}?${query}` });
    const others = (parameter: string) => (given.startsWith(`${parameter}=`) ? '' : given);

    it('takes no value that does not fit, and says which', async () => {
      for (const [parameter, values] of Object.entries(parameters)) {
        for (const value of values) {
          expect(blamed(await ask(`${others(parameter)}${parameter}=${value}`))).toEqual([parameter]);
        }
      }
    });

    it('takes no parameter twice', async () => {
      for (const parameter of Object.keys(parameters)) {
        expect(blamed(await ask(`${others(parameter)}${parameter}=1&${parameter}=2`))).toEqual([parameter]);
      }
    });

    it.each(['colour', 'constructor', '__proto__', 'toString', 'limit[]', 'phone[a]', '%00'])(
      'takes no parameter that nobody knows: %s, unless platforms add their own',
      async (parameter) => {
        const answer = await ask(`${given}${parameter}=1`);
        if (forPlatforms.has(name)) expect([answer.status, answer.body['found']]).toEqual([200, true]);
        else expect(blamed(answer)).toEqual([decodeURIComponent(parameter)]);
      },
    );
  },
);

it.each(['GET /api/calls', 'GET /api/agents', 'GET /api/integrations/webhook-deliveries'] as const)(
  '%s gives a page after a cursor that nobody has',
  async (name) => {
    const answer = await sendTo(name, { path: `${name.slice(name.indexOf('/'))}?cursor=${nobodys}` });
    expect([answer.status, answer.body['next_cursor']]).toEqual([200, null]);
  },
);

describe('a phone number in a query', () => {
  leavesEverythingAsItWas();
  const places = ['lookup', 'cti/screen-pop'] as const;

  it.each([
    '%2B15551230001',
    '+15551230001',
    '%2015551230001',
    '%2B1+(555)+123-0001',
    '0015551230001',
    '%2B1.555.123.0001',
  ])('is found as %s', async (phone) => {
    for (const place of places) {
      const answer = await sendTo('GET /api/integrations/lookup', {
        path: `/api/integrations/${place}?phone=${phone}`,
      });
      expect(answer).toMatchObject({ status: 200, body: { found: true, screen_pop: { name: 'Grace Hopper' } } });
    }
    const calls = await sendTo('GET /api/calls', { path: `/api/calls?phone=${phone}` });
    expect(calls.body['calls']).toHaveLength(1);
  });

  it.each([
    'anonymous',
    '%00',
    '%ff%fe',
    '%',
    '+',
    '%2B',
    '%2B0123',
    '+1234567890123456',
    '5551230001',
    '%2B1555ABC',
    '12%2B34',
  ])('is refused as %s', async (phone) => {
    for (const place of places) {
      const answer = await sendTo('GET /api/integrations/lookup', {
        path: `/api/integrations/${place}?phone=${phone}`,
      });
      expectProblem(answer, 400, 'invalid_phone');
    }
    const forget = { path: `/api/integrations/inbound?phone=${phone}` };
    expectProblem(await sendTo('DELETE /api/integrations/inbound', forget), 400, 'invalid_phone');
    expectProblem(await sendTo('GET /api/calls', { path: `/api/calls?phone=${phone}` }), 400, 'invalid_phone');
  });
});

describe('a phone number in a body', () => {
  leavesEverythingAsItWas();
  const push = (phone_number: string) => sendTo('POST /api/integrations/inbound', { body: { phone_number, data: {} } });
  const click = (phone_number: string) =>
    sendTo('POST /api/integrations/cti/click-to-dial', { body: { phone_number, agent_id: world.agent.id } });

  it('that is no number is refused as such, whatever it is, and dials and keeps nothing', async () => {
    const letters = fc
      .string({ unit: 'grapheme', maxLength: 64 })
      .filter((text) => !/^\D*\d/u.test(text) && text.length <= 64);
    const tooLong = fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }).map((digits) => `+${digits}`);
    const leadingZero = fc.integer({ min: 0 }).map((digits) => `+0${digits}`);
    const withLetter = fc
      .tuple(fc.integer({ min: 1 }), fc.constantFrom('a', 'é', '*', ';', '＋', '+'))
      .map(([digits, letter]) => `+1${digits}${letter}1`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(letters, tooLong, leadingZero, withLetter), async (phone) => {
        for (const answer of [await push(phone), await click(phone)]) {
          const [code, path] = [answer.body['code'], answer.body['errors']];
          expect([answer.status, answer.type, path]).toEqual([
            ...[400, 'application/problem+json'],
            /[\0\p{Cs}]/u.test(phone)
              ? undefined
              : [
                  expect.objectContaining({
                    path: 'phone_number',
                    message: expect.any(String),
                    code: expect.stringMatching(/^phone_|^too_short$/),
                  }),
                ],
          ]);
          expect(code).toBe(phone === '' || /[\0\p{Cs}]/u.test(phone) ? 'invalid_request' : 'invalid_phone');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is understood in every spelling of its digits', async () => {
    const separator = fc.constantFrom('', '', ' ', '.', '-', ' - ');
    // Numbers of plans in which all have as many digits, so that none is one with another behind it.
    const digits = fc.stringMatching(/^(?:1[2-9]\d{2}[2-9]\d{6}|4420[37]\d{7}|33[1-7]\d{8}|3906\d{8})$/);
    const spelled = digits.chain((number) =>
      fc.array(separator, { minLength: number.length, maxLength: number.length }).map((separators) => ({
        e164: `+${number}`,
        tail: [...number].map((digit, index) => `${index === 0 ? '' : separators[index]}${digit}`).join(''),
      })),
    );
    await fc.assert(
      fc.asyncProperty(spelled, fc.constantFrom('+', '00', ' +', '+ '), async ({ e164, tail }, prefix) => {
        const number = prefix + tail;
        fc.pre(number.length <= 64);
        expect([number, (await push(number)).body]).toEqual([number, { ok: true, phone_number: e164 }]);
        const found = await sendTo('GET /api/integrations/lookup', {
          path: `/api/integrations/lookup?phone=${encodeURIComponent(number)}`,
        });
        expect({ number, ...found.body }).toMatchObject({ number, found: true, screen_pop: { phone: e164 } });
        await sendTo('DELETE /api/integrations/inbound', {
          path: `/api/integrations/inbound?phone=${encodeURIComponent(e164)}`,
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe('free-form fields', () => {
  leavesEverythingAsItWas();
  const phone_number = '+15551230077';
  const push = (raw: string) =>
    sendTo('POST /api/integrations/inbound', { raw: `{"phone_number":"${phone_number}","data":${raw}}` });
  const kept = () => sendTo('GET /api/integrations/lookup', { path: '/api/integrations/lookup?phone=%2B15551230077' });
  afterEach(() =>
    sendTo('DELETE /api/integrations/inbound', { path: '/api/integrations/inbound?phone=%2B15551230077' }),
  );

  it.each([
    '{"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}',
    '{"a":"😀 \\\\u0000 \\u2028","🔑":[null,true,-0.5,1e-300,1e300,9007199254740991]}',
    `{"deep":${'['.repeat(61)}1${']'.repeat(61)}}`,
    '{"":{"":[{}]}}',
  ])('come back as they were sent: %.60s', async (data) => {
    expect((await push(data)).status).toBe(200);
    expect((await kept()).body).toMatchObject({ screen_pop: { crm: JSON.parse(data) } });
  });

  it('take no number that JSON can write and nobody can keep', async () => {
    for (const huge of ['1e1001', '-1e-1001', `1${'0'.repeat(1_000)}`]) {
      expectProblem(await push(`{"a":[{"b":${huge}}]}`), 400, 'invalid_request');
    }
    expectProblem(await kept(), 404, 'unknown_phone');
  });

  it('change no prototype', async () => {
    expect((await push('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}')).status).toBeLessThan(
      500,
    );
    expect('polluted' in {}).toBe(false);
    const { screen_pop } = (await kept()).body as { screen_pop?: { crm?: object } };
    expect(screen_pop?.crm === undefined || !('polluted' in screen_pop.crm)).toBe(true);
  });
});

describe('a bulk push', () => {
  leavesEverythingAsItWas();
  const name = 'POST /api/integrations/inbound/bulk';
  const line = (phone: string, data = '{}') => `{"phone_number":"${phone}","data":${data}}`;
  const isKept = async (phone: string) => {
    const path = `/api/integrations/lookup?phone=${encodeURIComponent(phone)}`;
    return (await sendTo('GET /api/integrations/lookup', { path })).status === 200;
  };
  const forget = (phone: string) =>
    sendTo('DELETE /api/integrations/inbound', {
      path: `/api/integrations/inbound?phone=${encodeURIComponent(phone)}`,
    });

  it('keeps the good lines and names the others, whatever is wrong with them', async () => {
    const bad = [
      ['{', 'malformed_json'],
      ['[]', 'invalid_request'],
      ['7', 'invalid_request'],
      ['{"phone_number":"+15551230050"}', 'invalid_request'],
      ['{"data":{}}', 'invalid_request'],
      ['{"phone_number":"+15551230050","data":{},"colour":1}', 'invalid_request'],
      ['{"phone_number":"+15551230050","data":{},"__proto__":{"polluted":true}}', 'invalid_request'],
      [line('call me'), 'invalid_phone'],
      [line('+15551230050', '{"name":"a\\u0000b"}'), 'invalid_request'],
      [line('+15551230050', '{"a\\u0000":1}'), 'invalid_request'],
      [line('+15551230050', '{"name":"\\ud83d"}'), 'invalid_request'],
      [line('+15551230050', '{"a":1e1001}'), 'invalid_request'],
      [line('+15551230050', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`), 'invalid_request'],
      [line('+15551230050', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), 'invalid_request'],
      [line('+15551230050', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 'payload_too_large'],
    ] as const;
    const raw = [line('+15551230051'), ...bad.map(([text]) => text), '', line('+15551230052')].join('\n');
    const answer = await sendTo(name, { raw });
    expect(answer.body).toEqual({
      accepted: 2,
      refused: bad.length,
      errors: bad.map(([, code], index) => ({ line: index + 2, code, message: expect.any(String) })),
      read_otherwise: [],
    });
    expect(await Promise.all(['+15551230050', '+15551230051', '+15551230052'].map(isKept))).toEqual([
      false,
      true,
      true,
    ]);
    await Promise.all(['+15551230051', '+15551230052'].map(forget));
  });

  it('is refused with another type, with none of its lines, and with bytes that are no text', async () => {
    expectProblem(await sendTo(name, {}, { 'content-type': 'application/json' }), 415, 'unsupported_media_type');
    expectProblem(await sendTo(name, {}, { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
    expectProblem(await sendTo(name, { raw: '' }), 400, 'invalid_request');
    expectProblem(await sendTo(name, { raw: new Uint8Array([0x22, 0xff, 0x22, 0x0a]) }), 400, 'malformed_json');
    expectProblem(await sendTo(name, { raw: line('+15551230053').padEnd(mebibyte + 2) }), 413, 'payload_too_large');
  });
});

describe('a bad Idempotency-Key', () => {
  leavesEverythingAsItWas();
  it.each(['two words', 'é', 'x'.repeat(256)])('is refused and remembered for nothing: %.20s', async (key) => {
    const headers = { 'idempotency-key': key };
    const answer = await sendTo('POST /api/integrations/cti/click-to-dial', {}, headers);
    expect(blamed(answer)).toEqual(['idempotency-key']);
  });
});

describe('addresses', () => {
  leavesEverythingAsItWas();
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const known = Object.keys(routeRequests) as RouteName[];
  const forms = known.map((name) => new RegExp(`^${name.replace(/\{id\}/g, '[^/]+')}$`));
  const paths = [...new Set(known.map((name) => name.slice(name.indexOf('/'))))];
  const wrong = paths.flatMap((path) => methods.map((method): RouteName => `${method} /${path.slice(1)}`));

  it('know no other methods than theirs', async () => {
    const tried = wrong.filter((name) => !forms.some((form) => form.test(name)));
    expect(tried.length).toBeGreaterThan(60);
    for (const name of tried) {
      const path = name.slice(name.indexOf('/')).replace('{id}', nobodys);
      const answer = await send(world.gateway.url, name, { path }, bearer(world.ours.adminToken));
      expectProblem(answer, 405, 'method_not_allowed');
    }
  });

  it.each([
    ...['/nothing', '/api', '/api/agents/x/y/z', '/api/integrations/../../etc/passwd', '/api//calls'],
    ...['/api/crm/nothing', '/%2e%2e/package.json', '/docs/%2e%2e%2fpackage.json', '/.env', '/api/me%00'],
  ])('that are none are not found: %s', async (path) => {
    expectProblem(await send(world.gateway.url, 'GET /', { path }, bearer(world.ours.adminToken)), 404, 'not_found');
  });

  it.each(['%00', '%ff', '%E0%A4%A', '%20', 'null', "1'--", '0'.repeat(5_000)])('hold no id like %.20s', async (id) => {
    for (const path of [`/api/calls/${id}`, `/api/agents/${id}`, `/api/integrations/webhook-deliveries/${id}`]) {
      const answer = await send(world.gateway.url, 'GET /', { path }, bearer(world.ours.adminToken));
      expectProblem(answer, 400, 'invalid_request');
    }
  });
});

describe('a click that is refused', () => {
  it('leaves a Ready agent Ready, with nothing on the screen', async () => {
    const { gateway, colleague } = world;
    const softphone = await gateway.readySoftphone(colleague);
    const ready = softphone.agent;
    let shown = 0;
    softphone.on('pop', () => (shown += 1));
    const refused = [
      [{ phone_number: 'call me' }, 400],
      [{ phone_number: knownPhone, colour: 'red' }, 400],
      [{ phone_number: knownPhone, agent_code: 'nobody' }, 404],
      [{ phone_number: knownPhone, agent_id: nobodys }, 404],
      [{ phone_number: knownPhone, agent_id: colleague.id, agent_code: world.agent.agentCode }, 400],
      [{ phone_number: knownPhone, metadata: { note: '\u0000' } }, 400],
    ] as const;
    for (const [body, status] of refused) {
      const answer = await sendTo('POST /api/integrations/cti/click-to-dial', { body }, keyed(world.ours.key));
      expect(answer.status).toBe(status);
    }
    const state = await gateway.api.get(`/api/agents/${colleague.id}/state`).set(bearer(colleague.token)).expect(200);
    expect(state.body).toEqual(ready);
    expect(shown).toBe(0);
    await softphone.signOut();
  });
});

describe('a flood of log-ins', () => {
  it('is slowed down with Retry-After, for its account alone', async () => {
    const { colleague, gateway, ours } = world;
    // Nobody has logged in there yet, from any address.
    const agent = { agentCode: 'newcomer', password: 'password-of-newcomer' };
    const account = { agent_code: agent.agentCode, name: 'Newcomer', password: agent.password };
    await gateway.api.post('/api/agents').set(bearer(ours.adminToken)).send(account).expect(201);
    const logIn = (agent_code: string, password: string) =>
      sendTo('POST /api/auth/login', { body: { agent_code, company_slug: ours.slug, password } });
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => logIn(agent.agentCode, `guess ${index}`)),
    );
    const tried = guesses.filter((answer) => answer.status === 401);
    for (const answer of tried) expectProblem(answer, 401, 'invalid_credentials');
    const refused = guesses.filter((answer) => answer.status !== 401);
    for (const answer of refused) {
      expectProblem(answer, 429, 'rate_limited');
      expect(answer.headers.get('ratelimit-remaining')).toBe('0');
      expect(answer.headers.get('ratelimit-reset')).toBe(answer.headers.get('retry-after'));
    }
    // Guesses that come at the same moment are no more guesses than those that come in a row.
    expect(tried.length).toBe(10);
    // Not even the right one tells anything now.
    expectProblem(await logIn(agent.agentCode, agent.password), 429, 'rate_limited');
    expect((await logIn(colleague.agentCode, colleague.password)).status).toBe(200);
  });
});
