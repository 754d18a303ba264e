import { z } from 'zod';
import type { PopLink, PopLinkRequest, PopSession } from '../../contract/pop.ts';
import type { Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

/** How long a link may be opened. Seconds. */
const linkSeconds = 5 * 60;
/** How long whoever opened it may read. Seconds. */
const sessionSeconds = 60 * 60;

/** What a token of a pop allows: to read this number and this call, as far as whoever made the link may now. */
export type PopGrant = { principal: Principal; phone: PhoneNumber; call: string | null };

/** Sealed with its purpose: neither kind opens as the other, nor as anything else that the gateway seals or signs. */
type Purpose = 'pop link' | 'pop session';
/**
 * Whose rights a link has: those of the API key that begins so, or of an agent.
 * It ends with the key, and with the agent's tokens.
 */
const maker = z.union([
  z.strictObject({ key: z.string() }),
  z.strictObject({ agent: z.string(), version: z.number() }),
]);
const content = z.object({
  id: z.string(),
  company: z.string(),
  phone: z.string(),
  call: z.string().nullable(),
  by: maker,
  until: z.number(),
});
type Content = z.infer<typeof content>;
type Needs = Pick<Services, 'agents' | 'cipher' | 'clock' | 'integrations'>;

/**
 * A link to the pop page that anybody may open once within five minutes;
 * it shows no more than is shown to whom it was made for. Refuses `invalid_phone`.
 * @param publicUrl null: only path and fragment are known
 */
export async function makePopLink(
  services: Needs & Pick<Services, 'newId' | 'companyOf'>,
  principal: Principal,
  { phone, call_id }: PopLinkRequest,
  publicUrl: string | null,
): Promise<Outcome<PopLink>> {
  const { companyId } = principal;
  const read = await readPhone(services, companyId, phone, 'network');
  if (read.kind === 'refused') return read;
  const until = services.clock.now() + linkSeconds * 1_000;
  const by = await makerOf(services, principal);
  const token = seal(services, 'pop link', {
    id: services.newId(),
    company: companyId,
    phone: read.value,
    call: call_id ?? null,
    by,
    until,
  });
  return ok({
    url: `${publicUrl ?? ''}/pop?company=${companyId}#link=${token}`,
    expires_at: new Date(until).toISOString(),
  });
}

/** Takes a link once, for a token that reads its pop for an hour. Refuses `invalid_token`. */
export async function openPopLink(
  services: Needs & Pick<Services, 'idempotency'>,
  link: string,
): Promise<Outcome<PopSession>> {
  const opened = unseal(services, 'pop link', link);
  if (opened.kind === 'refused') return opened;
  const { company, id } = opened.value;
  if ((await principalOf(services, opened.value)) === null) return ended;
  const now = services.clock.now();
  // Longer than the link lasts: gateways' clocks differ a little.
  const begun = await services.idempotency.begin(
    toId<CompanyId>(company),
    `pop link ${id}`,
    '',
    new Date(now),
    new Date(now + 2 * linkSeconds * 1_000),
  );
  if (begun.kind !== 'fresh') return refuse('invalid_token', 'The link has been opened before. Ask for a new one.');
  const until = now + sessionSeconds * 1_000;
  return ok({
    token: seal(services, 'pop session', { ...opened.value, until }),
    expires_at: new Date(until).toISOString(),
  });
}

/** What a token of `openPopLink` allows. Refuses `invalid_token`. */
export async function readPopToken(services: Needs, token: string): Promise<Outcome<PopGrant>> {
  const opened = unseal(services, 'pop session', token);
  if (opened.kind === 'refused') return opened;
  const { phone, call } = opened.value;
  const principal = await principalOf(services, opened.value);
  return principal === null ? ended : ok({ principal, phone: phone as PhoneNumber, call });
}

const ended = refuse('invalid_token', 'Whoever made the link may not read this any more. Ask for a new one.');

async function makerOf({ agents }: Needs, principal: Principal): Promise<Content['by']> {
  if (principal.kind === 'company_key') return { key: principal.keyPrefix };
  const found = await agents.find(principal.companyId, principal.agentId);
  return { agent: principal.agentId, version: found.kind === 'found' ? found.value.tokenVersion : -1 };
}

/** Null: the key was rotated, or the agent was deactivated or logged out everywhere. */
async function principalOf({ agents, integrations }: Needs, { by, company }: Content): Promise<Principal | null> {
  const companyId = toId<CompanyId>(company);
  if ('key' in by) {
    return (await integrations.find(companyId)).apiKeyPrefix === by.key
      ? { kind: 'company_key', companyId, keyPrefix: by.key }
      : null;
  }
  const found = await agents.find(companyId, toId<AgentId>(by.agent));
  if (found.kind !== 'found' || !found.value.active || found.value.tokenVersion !== by.version) return null;
  const { id: agentId, agentCode, role, ledTeamIds } = found.value;
  return { kind: 'agent', companyId, agentId, agentCode, role, ledTeamIds };
}

function seal({ cipher }: Pick<Services, 'cipher'>, purpose: Purpose, sealed: Content): string {
  return cipher.encrypt(JSON.stringify(sealed), purpose);
}

function unseal({ cipher, clock }: Needs, purpose: Purpose, token: string): Outcome<Content> {
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
