import { ok, type Outcome, refuse } from '../domain/outcome.ts';

type Sent = { type: string | undefined; body: Buffer };

const unreadable = refuse('invalid_request', 'The form is not whole.', { cause: { code: 'unreadable' } });

/**
 * A multipart form, as `curl -F` sends one, as the plain form of its fields, without its files; anything else as it is.
 */
export async function asPlainForm({ type, body }: Sent): Promise<Outcome<Sent>> {
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type)) return ok({ type, body });
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
    return ok({ type: 'application/x-www-form-urlencoded', body: Buffer.from(new URLSearchParams(fields).toString()) });
  } catch {
    return unreadable;
  }
}
