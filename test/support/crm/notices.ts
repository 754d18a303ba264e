import type { Gateway, TestCompany } from '../gateway/gateway.ts';
import type { FakeCrm, Notice } from './fakeCrm.ts';

/** Where CRM systems are told that the gateway is. */
export const publicUrl = 'https://gateway.example.com';

/** An address for a CRM's notices, with what they are signed with or carry. */
export type Address = { provider: string; url: string; path: string; token: string; secret: string };
export type Heard = { status: number; type: string; text: string; body: Record<string, unknown> };

/** Makes an address and enters the CRM's own signing secret where it has one. */
export async function issueAddress(
  gateway: Gateway,
  company: TestCompany,
  { id, noticeSecret }: Pick<FakeCrm, 'id' | 'noticeSecret'>,
): Promise<Address> {
  const { body } = await gateway.as(company).post('/api/integrations/crm/inbound').send({ provider: id }).expect(201);
  const secret: string = body.secret ?? noticeSecret;
  if (body.secret === null)
    await gateway.as(company).put(`/api/integrations/crm/inbound/${id}`).send({ signing_secret: secret }).expect(204);
  return { provider: id, url: body.url, path: new URL(body.url).pathname, token: body.token, secret };
}

/** Sends it byte for byte. */
export async function sendNotice(
  gateway: Gateway,
  { path }: Pick<Address, 'path'>,
  { method, headers, body }: Pick<Notice, 'headers' | 'body'> & { method?: string },
): Promise<Heard> {
  const response = await fetch(gateway.url + path, { method: method ?? 'POST', headers, body });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    type,
    text,
    body: type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
