import { expect } from 'vitest';
import type { z } from 'zod';
import type { CrmRequest } from '../../../src/providers/provider.ts';

/** What a provider's documentation says of one kind of request. Schemas are strict: what is not documented is refused. */
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

/** Fails for a request that is none of the documented ones, or that does not go to the address. */
export function expectDocumented(request: CrmRequest, address: string, shapes: readonly RequestShape[]): void {
  const { method, headers = {}, body } = request;
  const url = new URL(request.url);
  expect(request.url.startsWith(`${address}/`), `${request.url} is below ${address}`).toBe(true);
  expect(url.username + url.password + url.hash).toBe('');
  const shape = shapes.find((one) => one.method === method && one.path.exec(url.pathname)?.[0] === url.pathname);
  if (shape === undefined) throw new Error(`No documentation of ${method} ${url.pathname}`);
  const query = Object.fromEntries(url.searchParams);
  expect(Object.keys(query)).toHaveLength(url.searchParams.size);
  if (shape.query === undefined) expect(query).toEqual({});
  else shape.query.parse(query);
  expect(headers).toMatchObject(shape.headers ?? {});
  for (const [name, value] of Object.entries(headers)) {
    expect(name).toBe(name.toLowerCase());
    // No control signs: nothing else can be sent, and nothing can begin another header.
    expect(value).toMatch(/^[\x20-\x7e]*$/);
  }
  if (shape.json !== undefined) {
    expect(headers['content-type']).toBe('application/json');
    shape.json.parse(JSON.parse(body ?? ''));
  } else if (shape.form !== undefined) {
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    shape.form.parse(Object.fromEntries(new URLSearchParams(body)));
  } else {
    expect(body).toBeUndefined();
  }
}
