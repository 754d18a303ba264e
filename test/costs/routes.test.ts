import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientPayloads } from '../../src/contract/socket.ts';
import { routes } from '../../src/http/routes.ts';
import { costOf } from './cost.ts';

// Every route and every event of a softphone: nothing that it takes is without an end, and the most of it is read in no
// more than 50 ms of the processor. Bytes are bounded by how bodies are read, which
// test/journeys/openapiAnswers.test.ts plays for each of them.

type Json = { [name: string]: unknown };

/** In the known piece of work, of some 10 ms. */
const most = 5;
const mib = 1_048_576;
/** What a body may hold that its JSON schema cannot say; a test below sends too much of each. */
const boundedOtherwise = ['data', 'metadata', 'crm', 'fields', 'credentials', 'options', 'dispositions', 'account'];

const parts = [
  ...routes.flatMap(({ method, path, body }) => (body === null ? [] : [{ name: `${method} ${path}`, schema: body }])),
  ...Object.entries(clientPayloads).map(([event, schema]) => ({ name: event, schema })),
].map(({ name, schema }) => ({
  name,
  schema,
  json: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json,
}));

const schemasIn = (json: Json): [string, Json][] => [
  ['', json],
  ...Object.entries((json['$defs'] ?? {}) as Record<string, Json>),
];
const listed = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** Where a schema leaves open how much there may be. */
function withoutEnd(schema: Json, path: string): string[] {
  const { additionalProperties: others, allOf, items, properties, type } = schema;
  const own = ((): string[] => {
    if (type === 'array' && schema['maxItems'] === undefined) return [path];
    if (type === 'string' && !hasEnd(schema) && !listed(allOf).some(hasEnd)) return [path];
    if (
      type === 'object' &&
      typeof others === 'object' &&
      schema['maxProperties'] === undefined &&
      !boundedOtherwise.some((name) => path.endsWith(`.${name}`))
    )
      return [path];
    return [];
  })();
  return [
    ...own,
    // Beside an object's own properties they only say which of those belong together.
    ...['anyOf', 'oneOf']
      .flatMap((name) => (properties === undefined ? listed(schema[name]) : []))
      .flatMap((one) => withoutEnd(one, path)),
    ...(typeof items === 'object' ? withoutEnd(items as Json, `${path}[]`) : []),
    ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, one]) =>
      withoutEnd(one, `${path}.${name}`),
    ),
  ];
}

function hasEnd({ maxLength, format, pattern, enum: values, const: constant }: Json): boolean {
  // Of a pattern, what stands for one character each counts once.
  const counts = typeof pattern === 'string' ? pattern.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, '') : '*';
  return [maxLength, format, values, constant].some((one) => one !== undefined) || !/[*+]|,\}/.test(counts);
}

/**
 * The longest that fits a schema, or nearly: lists and texts as long as they may be.
 * @param share how much of each list there is
 * @param entries of what has free fields
 */
function longest(schema: Json, defs: Record<string, Json>, share: number, entries = 2_000 * share): unknown {
  const {
    $ref: reference,
    anyOf,
    const: constant,
    enum: values,
    format,
    items,
    maxItems,
    maxLength,
    properties,
    type,
  } = schema as Record<string, never>;
  if (typeof reference === 'string')
    return longest(defs[(reference as string).split('/').at(-1) ?? ''] ?? {}, defs, share, entries);
  if (anyOf !== undefined && properties === undefined) return longest(listed(anyOf)[0] ?? {}, defs, share, entries);
  if (constant !== undefined) return constant;
  if (values !== undefined) return listed(values)[0];
  switch (type as string | undefined) {
    case 'array':
      return Array.from({ length: Math.max(1, Math.ceil((maxItems ?? 1) * share)) }, () =>
        longest((items ?? {}) as Json, defs, share, entries),
      );
    case 'object': {
      const own = Object.entries((properties ?? {}) as Record<string, Json>).map(([name, one]) => [
        name,
        longest(one, defs, share, entries),
      ]);
      const free =
        typeof schema['additionalProperties'] === 'object'
          ? Array.from({ length: Math.ceil(entries) }, (_, n) => [`field_${n}`, 'x'.repeat(20)])
          : [];
      return Object.fromEntries([...own, ...free]);
    }
    case 'string':
      return sampleOf(format, maxLength ?? 100);
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function sampleOf(format: string | undefined, length: number): string {
  if (format === 'uuid') return '0198c0de-0000-7000-8000-000000000000';
  if (format === 'date-time') return '2026-11-27T08:00:00.000Z';
  if (format === 'date') return '2026-11-27';
  if (format === 'email') return `${'a'.repeat(Math.min(60, length - 12))}@example.com`;
  return '+'.padEnd(Math.min(length, 64 * 1_024), '1 ');
}

/** As much of it as a body holds. */
function bodyOf(json: Json): string {
  for (let share = 1; ; share /= 2) {
    const text = JSON.stringify(longest(json, (json['$defs'] ?? {}) as Record<string, Json>, share));
    if (text.length <= mib || share < 0.001) return text;
  }
}

describe('what is taken by', () => {
  it.each(parts)('$name has an end: every list, text and record', ({ json }) => {
    expect(schemasIn(json).flatMap(([name, schema]) => withoutEnd(schema, name))).toEqual([]);
  });

  it.each(parts)('$name, as much of it as there may be, is read at once', ({ json, schema }) => {
    const body = bodyOf(json);
    expect(costOf(() => schema.safeParse(JSON.parse(body)), most)).toBeLessThanOrEqual(most);
  });

  it('whatever holds free fields is refused with too many of them', () => {
    const free = parts.filter(({ json }) => /"additionalProperties":\{/.test(JSON.stringify(json)));
    expect(free.length).toBeGreaterThan(7);
    const taken = free.filter(({ schema, json }) => {
      const body = longest(json, (json['$defs'] ?? {}) as Record<string, Json>, 0.001, 20_000);
      return !(schema.safeParse(body).error?.issues ?? []).some(({ path }) =>
        path.some((name) => boundedOtherwise.includes(String(name))),
      );
    });
    expect(taken.map(({ name }) => name)).toEqual([]);
  });
});

describe('a company', () => {
  it('has a share of every list that is read page by page', () => {
    const pages = routes.filter(
      ({ method, query, access }) =>
        method === 'get' &&
        access.kind === 'company' &&
        Object.keys(query?.shape ?? {}).some((name) => name === 'cursor' || name === 'limit'),
    );
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.filter(({ share }) => share === undefined).map(({ path }) => path)).toEqual([]);
  });
});
