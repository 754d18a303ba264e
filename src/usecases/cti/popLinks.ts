import { z } from 'zod';
import type { PopLink, PopLinkRequest, PopSession } from '../../contract/pop.ts';
import { ledTeamsOf, type Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

/** How long a link may be opened. Seconds. */
const linkSeconds = 5 * 60;
/** How long whoever opened it may read. Seconds. */
const sessionSeconds = 60 * 60;

/** What a token of a pop allows: to read this number and this call, as far as the company's key, or the agent or supervisor of some teams who made the link, may. */
export type PopGrant = { principal: Principal; phone: PhoneNumber; call: string | null };

/** Sealed with its purpose: neither kind opens as the other, nor as anything else that the gateway seals or signs. */
type Purpose = 'pop link' | 'pop session';
const content = z.object({ id: z.string(), company: z.string(), phone: z.string(), call: z.string().nullable(), agent: z.string().optional(), led: z.array(z.string()).optional(), until: z.number() });
type Content = z.infer<typeof content>;

/** A link to the pop page that anybody may open once within five minutes; it shows no more than is shown to whom it was made for. Refuses `invalid_phone`. @param publicUrl null: only path and fragment are known */
export async function makePopLink(
  services: Pick<Services, 'cipher' | 'clock' | 'newId' | 'settings'>,
  principal: Principal,
  { phone, call_id }: PopLinkRequest,
  publicUrl: string | null,
): Promise<Outcome<PopLink>> {
  const { companyId } = principal;
  const read = await readPhone(services, companyId, phone);
  if (read.kind === 'refused') return read;
  const until = services.clock.now() + linkSeconds * 1_000;
  const led = ledTeamsOf(principal);
  const agent = {
    ...(principal.kind === 'agent' && (principal.role === 'agent' || led !== null) ? { agent: principal.agentId } : {}),
    ...(led === null ? {} : { led: [...led] }),
  };
  const token = seal(services, 'pop link', { id: services.newId(), company: companyId, phone: read.value, call: call_id ?? null, ...agent, until });
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
  const { company, phone, call, agent, led } = opened.value;
  const companyId = toId<CompanyId>(company);
  const principal: Principal =
    agent === undefined
      ? { kind: 'company_key', companyId, keyPrefix: '' }
      : { kind: 'agent', companyId, agentId: toId<AgentId>(agent), agentCode: '', role: led === undefined ? 'agent' : 'supervisor', ledTeamIds: led?.map((id) => toId<TeamId>(id)) ?? null };
  return ok({ principal, phone: phone as PhoneNumber, call });
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
