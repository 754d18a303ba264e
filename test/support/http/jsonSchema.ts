import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;
type Check = (expected: never, value: unknown, at: Place) => string[];
/** Who writes a value: of the gateway's own more is promised than it asks of others. */
type Writer = 'gateway' | 'client';
/** Where in a value, by which schema, in which document. */
type Place = { path: string; schema: Json; document: Json; writer: Writer };

/**
 * Where a value does not fit a JSON schema (2020-12) of a document, as sentences; empty when it fits. Knows the
 * keywords that the document uses, and throws on any other, so that nothing goes unchecked.
 */
export function schemaFaults(document: object, schema: unknown, value: unknown, writer: Writer = 'gateway'): string[] {
  return faultsAt(value, { path: '$', schema: schema as Json, document: document as Json, writer });
}

function faultsAt(value: unknown, at: Place): string[] {
  return Object.entries(at.schema).flatMap(([keyword, expected]) => {
    if (annotations.has(keyword)) return [];
    const check = checks[keyword];
    if (check === undefined) throw new Error(`the check of answers does not know the keyword ${keyword} at ${at.path}`);
    return check(expected as never, value, at);
  });
}

const annotations = new Set(['description', 'examples', 'title', 'default']);

const fault = (at: Place, says: string): string[] => [`${at.path} ${says}`];
const unless = (fits: boolean, at: Place, says: string): string[] => (fits ? [] : fault(at, says));
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const inner = (at: Place, schema: unknown, path = ''): Place => ({
  ...at,
  schema: schema as Json,
  path: at.path + path,
});

const checks: Record<string, Check> = {
  $ref: (ref: string, value, at) => faultsAt(value, inner(at, resolve(at.document, ref))),
  type(types: string | string[], value, at) {
    const fits = [types].flat().some((type) => isOfType(type, value));
    return unless(fits, at, `is no ${[types].flat().join(' or ')}`);
  },
  const: (expected: unknown, value, at) => unless(isDeepStrictEqual(value, expected), at, `is not ${String(expected)}`),
  enum: (choices: unknown[], value, at) => unless(choices.includes(value), at, `is none of ${choices.join(', ')}`),
  anyOf(schemas: Json[], value, at) {
    const faults = schemas.map((schema) => faultsAt(value, inner(at, schema)));
    return faults.some((list) => list.length === 0) ? [] : fault(at, `fits none of: ${JSON.stringify(faults)}`);
  },
  not: (schema: Json, value, at) => unless(faultsAt(value, inner(at, schema)).length > 0, at, 'is what it must not be'),
  allOf: (schemas: Json[], value, at) => schemas.flatMap((schema) => faultsAt(value, inner(at, schema))),
  if(condition: Json, value, at) {
    return faultsAt(value, inner(at, condition)).length === 0 ? [] : faultsAt(value, inner(at, at.schema['else']));
  },
  // Looked at with its `if`.
  else: () => [],
  required(names: string[], value, at) {
    return isObject(value)
      ? names.filter((name) => !Object.hasOwn(value, name)).flatMap((name) => fault(at, `lacks ${name}`))
      : [];
  },
  properties(properties: Record<string, Json>, value, at) {
    if (!isObject(value)) return [];
    return Object.entries(properties)
      .filter(([name]) => Object.hasOwn(value, name))
      .flatMap(([name, schema]) => faultsAt(value[name], inner(at, schema, `.${name}`)));
  },
  additionalProperties(allowed: false | Json, value, at) {
    if (!isObject(value)) return [];
    const named = Object.keys((at.schema['properties'] ?? {}) as Json);
    const others = Object.keys(value).filter((name) => !named.includes(name));
    if (allowed === false) return others.flatMap((name) => fault(at, `has ${name}, which is not described`));
    return others.flatMap((name) => faultsAt(value[name], inner(at, allowed, `.${name}`)));
  },
  propertyNames(schema: Json, value, at) {
    return isObject(value)
      ? Object.keys(value).flatMap((name) => faultsAt(name, inner(at, schema, `.${name} as a name`)))
      : [];
  },
  items(schema: Json, value, at) {
    return Array.isArray(value)
      ? value.flatMap((entry, index) => faultsAt(entry, inner(at, schema, `[${index}]`)))
      : [];
  },
  uniqueItems: (wanted: boolean, value, at) =>
    unless(
      !wanted || !Array.isArray(value) || new Set(value.map((item) => JSON.stringify(item))).size === value.length,
      at,
      'has an item twice',
    ),
  minItems: (least: number, value, at) =>
    unless(!Array.isArray(value) || value.length >= least, at, `has under ${least} items`),
  maxItems: (most: number, value, at) =>
    unless(!Array.isArray(value) || value.length <= most, at, `has over ${most} items`),
  minLength: (least: number, value, at) =>
    unless(typeof value !== 'string' || value.length >= least, at, 'is too short'),
  maxLength: (most: number, value, at) => unless(typeof value !== 'string' || value.length <= most, at, 'is too long'),
  minimum: (least: number, value, at) => unless(typeof value !== 'number' || value >= least, at, `is under ${least}`),
  maximum: (most: number, value, at) => unless(typeof value !== 'number' || value <= most, at, `is over ${most}`),
  pattern: (form: string, value, at) =>
    unless(typeof value !== 'string' || new RegExp(form, 'u').test(value), at, `is not as ${form}`),
  format(format: string, value, at) {
    const form = (at.writer === 'client' ? clientFormats : formats)[format];
    if (form === undefined) throw new Error(`the check of answers does not know the format ${format}`);
    return unless(typeof value !== 'string' || form.test(value), at, `is no ${format}`);
  },
};

const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  // As the document promises: UTC, with milliseconds.
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
};

const clientFormats: Record<string, RegExp> = {
  ...formats,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/,
};

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function resolve(document: Json, ref: string): Json {
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), document);
  if (!isObject(found)) throw new Error(`${ref} leads nowhere`);
  return found;
}
