import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LoginRequest } from '../../contract/auth.ts';
import { foldName } from '../../domain/company.ts';
import { type CompanyId, toId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';
import { loginLimits } from './loginThrottle.ts';

/** Sealed with its purpose: it opens as nothing else that the gateway seals. */
const purpose = 'known device';
/** So many people share a device; of more, the earliest is forgotten. */
const loginsAtMost = 8;

const content = z.object({
  id: z.uuid(),
  logins: z.array(z.object({ name: z.string(), companyId: z.uuid(), until: z.number() })).max(loginsAtMost),
});

/** A browser, and who has logged in there during the last fortnight. `until`: seconds since the epoch. */
export type KnownDevice = z.output<typeof content>;

type Needs = Pick<Services, 'cipher' | 'clock'>;

/** The device that a cookie tells of; null where there is none, or it is not this gateway's. */
export function openDevice({ cipher, clock }: Needs, sealed: string | null): KnownDevice | null {
  if (sealed === null) return null;
  try {
    const { id, logins } = content.parse(JSON.parse(cipher.decrypt(sealed, purpose)));
    return { id, logins: logins.filter(({ until }) => until * 1_000 > clock.now()) };
  } catch {
    return null;
  }
}

/**
 * Whose its log-ins are at the door: the company's that logged in there last, apart from what else is that company's,
 * so that no device holds back the company's clicks; null: nobody's.
 */
export function doorOf(device: KnownDevice | null): string | null {
  const last = device?.logins.at(-1);
  return last === undefined ? null : `log-ins of ${last.companyId}`;
}

/** The company whose agent has logged in there by this name; null: none has. */
export function companyKnownTo(device: KnownDevice | null, login: LoginRequest): CompanyId | null {
  const name = hashOf(login);
  const own = device?.logins.find((one) => one.name === name);
  return own === undefined ? null : toId<CompanyId>(own.companyId);
}

/** The cookie of a device after a log-in there. */
export function sealDevice(
  { cipher, clock }: Needs,
  { id, logins }: KnownDevice,
  login: LoginRequest,
  companyId: CompanyId,
): string {
  const name = hashOf(login);
  const until = Math.floor(clock.now() / 1_000) + loginLimits.knownForSeconds;
  const others = logins.filter((one) => one.name !== name).slice(1 - loginsAtMost);
  return cipher.encrypt(
    JSON.stringify({ id, logins: [...others, { name, companyId, until }] } satisfies KnownDevice),
    purpose,
  );
}

/** Of the name as it was given: it is short, and a stolen cookie names nobody. */
function hashOf({ company_slug: slug = '', email = '', agent_code: code = '' }: LoginRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([slug, foldName(email), foldName(code)]))
    .digest('base64url')
    .slice(0, 22);
}
