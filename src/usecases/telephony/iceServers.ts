import type { IceServer, UpdateTelephonyRequest } from '../../contract/telephony.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { turnCredentialOf } from '../../domain/turnCredential.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { Services } from '../services.ts';

type RequestedServer = NonNullable<UpdateTelephonyRequest['ice_servers']>[number];
/** A TURN server has a user and a credential, or the secret that it shares with the gateway. */
export type StoredIceServer = { urls: string[]; username?: string; credential?: string; secret?: string };

const nobodys = { username: 'nobody', credential: 'none' };

/** Seals the list for rest; null for an empty one. */
export function sealIceServers(
  cipher: SecretCipher,
  companyId: CompanyId,
  servers: readonly StoredIceServer[],
): string | null {
  if (servers.length === 0) return null;
  // Gateways of the version before hand softphones all that a server has: a secret is sealed by itself, too, and has a
  // user and a credential beside it that no server takes, without which browsers would make no connection at all.
  const kept = servers.map(({ secret, ...server }) =>
    secret === undefined
      ? server
      : { ...server, ...nobodys, secret: cipher.encrypt(secret, secretContextOf(companyId)) },
  );
  return cipher.encrypt(JSON.stringify(kept), contextOf(companyId));
}

/** Opens a sealed list. Throws where it was sealed under another key or for another company. */
export function openIceServers(cipher: SecretCipher, companyId: CompanyId, sealed: string | null): StoredIceServer[] {
  if (sealed === null) return [];
  // Authenticated by the cipher: only `sealIceServers` can have written it.
  const kept = JSON.parse(cipher.decrypt(sealed, contextOf(companyId))) as StoredIceServer[];
  return kept.map(({ secret, ...server }) =>
    secret === undefined ? server : { urls: server.urls, secret: cipher.decrypt(secret, secretContextOf(companyId)) },
  );
}

/** The list as an agent's browser is given it: with a credential of its own in place of a secret. Throws as above. */
export function iceServersFor(
  { cipher, clock }: Pick<Services, 'cipher' | 'clock'>,
  { companyId, agentId }: { companyId: CompanyId; agentId: AgentId },
  sealed: string | null,
): IceServer[] {
  return openIceServers(cipher, companyId, sealed).map(({ secret, ...server }) =>
    secret === undefined ? server : { ...server, ...turnCredentialOf(secret, agentId, clock.now()) },
  );
}

/**
 * Merges a requested list into the stored one: a server without a credential or secret keeps the stored one where
 * URLs and user are the same. A TURN server without user or credential is refused: with one in their list,
 * browsers make no connection at all.
 */
export function mergeIceServers(
  requested: readonly RequestedServer[],
  stored: readonly StoredIceServer[],
): Outcome<StoredIceServer[]> {
  const servers: StoredIceServer[] = [];
  for (const [index, { urls, username: given, credential, secret }] of requested.entries()) {
    // The settings show null where there is none.
    const username = given ?? undefined;
    const former = stored.find((server) => isSame(server, { urls, username }));
    const keptSecret = secret ?? (credential === undefined ? former?.secret : undefined);
    if (keptSecret !== undefined) {
      servers.push({ urls, secret: keptSecret });
      continue;
    }
    const kept = credential ?? former?.credential;
    const lacking = kept === undefined ? 'credential' : null;
    const missing = username === undefined ? 'username' : lacking;
    if (missing !== null && urls.some((url) => url.startsWith('turn'))) {
      return refuse('invalid_request', 'A TURN server lacks what browsers need to use it.', {
        errors: [
          {
            path: `ice_servers.${String(index)}.${missing}`,
            message: 'is required for a turn: or turns: URL',
            code: 'required',
          },
        ],
      });
    }
    servers.push({
      urls,
      ...(username === undefined ? {} : { username }),
      ...(kept === undefined ? {} : { credential: kept }),
    });
  }
  return ok(servers);
}

function isSame(
  server: StoredIceServer,
  { urls, username }: { urls: string[]; username: string | undefined },
): boolean {
  return server.username === username && server.urls.join(' ') === urls.join(' ');
}

/** Not a webhook secret's context: one sealed text must not open in place of another. */
function contextOf(companyId: CompanyId): string {
  return `ice-servers:${companyId}`;
}

function secretContextOf(companyId: CompanyId): string {
  return `turn-secret:${companyId}`;
}
