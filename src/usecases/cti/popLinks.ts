import { z } from 'zod';
import type { PopLink, PopLinkRequest, PopSession } from '../../contract/pop.ts';
import { type CompanyId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

/** How long a link may be opened. Seconds. */
const linkSeconds = 5 * 60;
/** How long whoever opened it may read. Seconds. */
const sessionSeconds = 60 * 60;

/** What a token of a pop allows: to read this number and this call of this company. */
export type PopGrant = { companyId: CompanyId; phone: PhoneNumber; call: string | null };

/** Sealed with its purpose: neither kind opens as the other, nor as anything else that the gateway seals or signs. */
type Purpose = 'pop link' | 'pop session';
const content = z.object({ id: z.string(), company: z.string(), phone: z.string(), call: z.string().nullable(), until: z.number() });
type Content = z.infer<typeof content>;

/** A link to the pop page that anybody may open once within five minutes. Refuses `invalid_phone`. @param publicUrl null: only path and fragment are known */
export async function makePopLink(
  services: Pick<Services, 'cipher' | 'clock' | 'newId' | 'settings'>,
  companyId: CompanyId,
  { phone, call_id }: PopLinkRequest,
  publicUrl: string | null,
): Promise<Outcome<PopLink>> {
  const read = await readPhone(services, companyId, phone);
  if (read.kind === 'refused') return read;
  const until = services.clock.now() + linkSeconds * 1_000;
  const token = seal(services, 'pop link', { id: services.newId(), company: companyId, phone: read.value, call: call_id ?? null, until });
  return ok({ url: `${publicUrl ?? ''}/pop?company=${companyId}#link=${token}`, expires_at: new Date(until).toISOString() });
}

/** Takes a link once, for a token that reads its pop for an hour. Refuses `invalid_token`. */
export async function openPopLink(services: Pick<Services, 'cipher' | 'clock' | 'counters'>, link: string): Promise<Outcome<PopSession>> {
  const opened = unseal(services, 'pop link', link);
  if (opened.kind === 'refused') return opened;
  // Longer than the link lasts: gateways' clocks differ a little.
  const { points } = await services.counters.add(`pop link ${opened.value.id}`, 1, 2 * linkSeconds);
  if (points > 1) return refuse('invalid_token', 'The link has been opened before. Ask for a new one.');
  const until = services.clock.now() + sessionSeconds * 1_000;
  return ok({ token: seal(services, 'pop session', { ...opened.value, until }), expires_at: new Date(until).toISOString() });
}

/** What a token of `openPopLink` allows. Refuses `invalid_token`. */
export function readPopToken(services: Pick<Services, 'cipher' | 'clock'>, token: string): Outcome<PopGrant> {
  const opened = unseal(services, 'pop session', token);
  if (opened.kind === 'refused') return opened;
  const { company, phone, call } = opened.value;
  return ok({ companyId: toId<CompanyId>(company), phone: phone as PhoneNumber, call });
}

function seal({ cipher }: Pick<Services, 'cipher'>, purpose: Purpose, sealed: Content): string {
  return cipher.encrypt(JSON.stringify(sealed), purpose);
}

function unseal({ cipher, clock }: Pick<Services, 'cipher' | 'clock'>, purpose: Purpose, token: string): Outcome<Content> {
  const opened = openSealed(cipher, purpose, token);
  if (opened === null) return refuse('invalid_token', 'That is no link of this service.');
  return opened.until > clock.now() ? ok(opened) : refuse('invalid_token', 'The link has expired. Ask for a new one.');
}

/** Null: it was sealed elsewhere, for something else, or was edited. */
function openSealed(cipher: Services['cipher'], purpose: Purpose, token: string): Content | null {
  try {
    return content.parse(JSON.parse(cipher.decrypt(token, purpose)));
  } catch {
    return null;
  }
}
