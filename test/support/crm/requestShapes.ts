import type { z } from 'zod';
import type { CrmRequest } from '../../../src/providers/provider.ts';

/**
 * What a provider's documentation says of one kind of request. Schemas are strict: what is not documented is refused.
 */
export type RequestShape = {
  method: CrmRequest['method'];
  /** Of the path alone, whole. */
  path: RegExp;
  /** Of the query parameters; missing: there are none. */
  query?: z.ZodType;
  /** Of the JSON body. */
  json?: z.ZodType;
  /** Of the form body. */
  form?: z.ZodType;
  /** Headers that it must carry, beside those of its body. */
  headers?: Record<string, string>;
};

type Asked = { method: string; url: string; headers?: Record<string, string> | undefined; body?: string | undefined };

/** Throws for a request that is none of the documented ones. */
export function requireDocumented(
  { method, url: address, headers = {}, body = '' }: Asked,
  shapes: readonly RequestShape[],
): void {
  const url = new URL(address);
  const name = `${method} ${url.pathname}`;
  const shape = shapes.find((one) => one.method === method && one.path.exec(url.pathname)?.[0] === url.pathname);
  if (shape === undefined) throw new Error(`No documentation of ${name}`);
  const require = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`${name}: ${what}`);
  };
  const parse = (schema: z.ZodType, value: unknown, what: string) => {
    const { success, error } = schema.safeParse(value);
    require(success, `${what} ${JSON.stringify(value)}: ${error?.message}`);
  };
  require(url.username + url.password + url.hash === '', 'nobody is named in the address, and no place of a page');
  const query = Object.fromEntries(url.searchParams);
  require(Object.keys(query).length === url.searchParams.size, 'every parameter stands once');
  if (shape.query === undefined)
    require(url.searchParams.size === 0, `there are no parameters, but came ${url.search}`);
  else parse(shape.query, query, 'the query');
  for (const [header, value] of Object.entries(shape.headers ?? {}))
    require(headers[header] === value, `the header ${header} is ${value}, not ${headers[header]}`);
  for (const [header, value] of Object.entries(headers)) {
    require(header === header.toLowerCase(), `the header ${header} is in lower case`);
    // No control signs: nothing else can be sent, and nothing can begin another header.
    require(/^[\x20-\x7e]*$/.test(value), `the header ${header} is a line of ASCII`);
  }
  if (shape.json !== undefined) {
    require(headers['content-type'] === 'application/json', 'it is said to be JSON');
    parse(shape.json, JSON.parse(body), 'the body');
  } else if (shape.form !== undefined) {
    require(headers['content-type'] === 'application/x-www-form-urlencoded', 'it is said to be a form');
    parse(shape.form, Object.fromEntries(new URLSearchParams(body)), 'the form');
  } else {
    require(body === '', 'there is no body');
  }
}
