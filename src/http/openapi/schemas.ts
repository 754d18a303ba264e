import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;
/** What is sent to the service (defaults may be left out) or what it sends. */
export type Direction = 'input' | 'output';

const definitions = '#/$defs/';
const components = '#/components/schemas/';

/**
 * zod schemas as OpenAPI 3.1 schemas. Those with an id become components; where input and output of one differ, the
 * input goes by `<id>Input`.
 * @param used every schema the document will mention, with its direction
 */
export function createSchemaBook(used: readonly { schema: z.ZodType; direction: Direction }[]) {
  const named = { input: new Map<string, Json>(), output: new Map<string, Json>() };
  for (const { schema, direction } of used) {
    for (const [id, json] of Object.entries(convert(schema, direction).defs)) named[direction].set(id, json);
  }
  const differing = differingIds(named.input, named.output);
  const nameOf = (id: string, direction: Direction) => (direction === 'input' && differing.has(id) ? `${id}Input` : id);
  const point = (json: Json, direction: Direction) => repoint(json, (id) => components + nameOf(id, direction));

  return {
    /** The schema, or a reference to its component. */
    schema: (schema: z.ZodType, direction: Direction): Json => point(convert(schema, direction).root, direction),
    /** All components, by name. */
    components: (): Json => {
      const all: [string, Json][] = (['output', 'input'] as const).flatMap((direction) =>
        [...named[direction]].map(([id, json]): [string, Json] => [nameOf(id, direction), point(json, direction)]),
      );
      return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

export type SchemaBook = ReturnType<typeof createSchemaBook>;

function convert(schema: z.ZodType, direction: Direction): { root: Json; defs: Record<string, Json> } {
  const json: Json = z.toJSONSchema(schema, {
    io: direction,
    override: ({ jsonSchema }) => simplify(jsonSchema, direction),
  });
  const { $schema: _dialect, $defs: defs, ...root } = json;
  return { root, defs: (defs ?? {}) as Record<string, Json> };
}

/**
 * Of what the gateway sends, leaves out what says nothing to a reader: the patterns behind known formats,
 * the bounds of every integer. Of what it is sent, they say what is refused.
 */
function simplify(json: Json, direction: Direction): void {
  // Generators take a field with a default for one that is always there, and demand it of whoever sends it.
  if (direction === 'input' && 'default' in json) {
    const { default: fallback, description } = json;
    delete json['default'];
    json['description'] = [description, `Without it: ${JSON.stringify(fallback)}`].filter(Boolean).join('. ');
  }
  if (direction === 'input') return;
  if (typeof json['format'] === 'string') delete json['pattern'];
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
}

/** Ids whose two shapes differ, themselves or in something they refer to. */
function differingIds(input: Map<string, Json>, output: Map<string, Json>): Set<string> {
  const shared = [...input.keys()].filter((id) => output.has(id));
  const differing = new Set(shared.filter((id) => !isDeepStrictEqual(input.get(id), output.get(id))));
  for (let before = -1; before !== differing.size;) {
    before = differing.size;
    for (const id of shared) {
      repoint(input.get(id) ?? {}, (inner) => {
        if (differing.has(inner)) differing.add(id);
        return inner;
      });
    }
  }
  return differing;
}

/** A copy whose references to definitions point elsewhere. */
function repoint<T>(json: T, to: (id: string) => string): T {
  if (Array.isArray(json)) return json.map((entry: unknown) => repoint(entry, to)) as T;
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]: [string, unknown]) =>
      key === '$ref' && typeof value === 'string' && value.startsWith(definitions)
        ? [key, to(value.slice(definitions.length))]
        : [key, repoint(value, to)],
    ),
  ) as T;
}
