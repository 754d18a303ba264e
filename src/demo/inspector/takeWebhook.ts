import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { DemoDelivery } from '../../contract/demo.ts';
import { type CompanyId, isUuid, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { sendProblem } from '../../http/answers.ts';
import type { Services } from '../../usecases/services.ts';
import { verify } from '../../webhooks/verify.ts';
import type { Inbox } from './inbox.ts';

/** A webhook holds at most what was pushed for a customer. */
const maxBodyBytes = 2 * 1024 * 1024;

const readRaw = express.raw({ type: () => true, limit: maxBodyBytes, inflate: false });

/**
 * Takes webhooks as a receiver should: keeps what came, byte for byte, and answers 401 to what it must not believe.
 * Only JSON is taken, which pages of other origins cannot send.
 */
export function takeWebhook(
  services: Pick<Services, 'cipher' | 'clock' | 'companies' | 'integrations'>,
  inbox: Inbox,
): RequestHandler {
  return async (request, response) => {
    const company = await companyOf(services, request);
    if (company.kind === 'refused') return sendProblem(response, company);
    response.locals.record.companyId = company.value;
    const body = await readBody(request, response);
    if (body.kind === 'refused') return sendProblem(response, body);
    const { headers } = request;
    const signature = await checkSignature(services, company.value, body.value, headers);
    const status = signature.verdict === 'refused' ? 401 : 204;
    inbox.add(company.value, {
      received_at: new Date(services.clock.now()).toISOString(),
      event: headerOf(headers, 'x-service-event'),
      delivery_id: headerOf(headers, 'x-service-delivery'),
      attempt: Number(headerOf(headers, 'x-service-attempt')) || null,
      headers: textsOf(headers),
      body: body.value.toString(),
      signature,
      status_code: status,
    });
    if (status === 401) sendProblem(response, refuse('unauthenticated', signature.detail));
    else response.status(status).end();
  };
}

/** A webhook says whose it is. */
async function companyOf(
  { companies }: Pick<Services, 'companies'>,
  { headers }: Request,
): Promise<Outcome<CompanyId>> {
  const id = headerOf(headers, 'x-service-company') ?? '';
  const company = isUuid(id) ? await companies.find(toId<CompanyId>(id)) : null;
  return company === null ? refuse('not_found', 'X-Service-Company names no company of this gateway.') : ok(company.id);
}

async function readBody(request: Request, response: Response): Promise<Outcome<Buffer>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refuse('unsupported_media_type', 'The content type must be application/json.');
  }
  const failure = await new Promise<unknown>((resolve) => {
    readRaw(request, response, resolve);
  });
  if (failure === undefined) return ok(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  switch (failure instanceof Error && 'type' in failure ? failure.type : null) {
    case 'entity.too.large':
      return refuse('payload_too_large', 'The body is over 2 MiB.');
    case 'encoding.unsupported':
      return refuse('unsupported_media_type', 'The body must not be compressed.');
    default:
      throw failure instanceof Error ? failure : new Error('the body cannot be read', { cause: failure });
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function textsOf(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = '']) => [name, String(value)] as const);
  return Object.fromEntries(entries);
}

type Needs = Pick<Services, 'cipher' | 'clock' | 'integrations'>;

/** What a receiver that was given the company's secret makes of a webhook: it uses the toolkit that receivers get. */
async function checkSignature(
  { cipher, clock, integrations }: Needs,
  companyId: CompanyId,
  body: Buffer,
  headers: IncomingHttpHeaders,
): Promise<DemoDelivery['signature']> {
  const { webhookSecretEncrypted: sealed } = await integrations.find(companyId);
  if (sealed === null) {
    return {
      verdict: 'unsigned',
      reason: 'unsigned',
      detail: 'The company has no webhook secret, so its webhooks are not signed.',
    };
  }
  let secret: string;
  try {
    secret = cipher.decrypt(sealed, companyId);
  } catch {
    return {
      verdict: 'refused',
      reason: 'unreadable_secret',
      detail: 'The company’s webhook secret cannot be opened with the ENCRYPTION_KEY of now.',
    };
  }
  const verification = verify(body, headers, secret, { now: new Date(clock.now()) });
  return verification.kind === 'verified'
    ? { verdict: 'verified', reason: 'verified', detail: 'Signed with the company’s webhook secret, just now.' }
    : { verdict: 'refused', reason: verification.reason, detail: verification.detail };
}
