import type { IncomingHttpHeaders } from 'node:http';
import type { DemoDelivery } from '../../contract/demo.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Services } from '../../usecases/services.ts';
import { verify } from '../../webhooks/verify.ts';

type Needs = Pick<Services, 'cipher' | 'clock' | 'integrations'>;

/** What a receiver that was given the company's secret makes of a webhook: it uses the toolkit that receivers get. */
export async function checkSignature(
  { cipher, clock, integrations }: Needs,
  companyId: CompanyId,
  body: Buffer,
  headers: IncomingHttpHeaders,
): Promise<DemoDelivery['signature']> {
  const { webhookSecretEncrypted: sealed } = await integrations.find(companyId);
  if (sealed === null) {
    return { verdict: 'unsigned', detail: 'The company has no webhook secret, so its webhooks are not signed.' };
  }
  let secret: string;
  try {
    secret = cipher.decrypt(sealed, companyId);
  } catch {
    return { verdict: 'refused', detail: 'The company’s webhook secret cannot be opened with the ENCRYPTION_KEY of now.' };
  }
  const verification = verify(body, headers, secret, { now: new Date(clock.now()) });
  return verification.kind === 'verified'
    ? { verdict: 'verified', detail: 'Signed with the company’s webhook secret, just now.' }
    : { verdict: 'refused', detail: verification.detail };
}
