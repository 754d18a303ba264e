import type { IceServer, UpdateTelephonyRequest } from '../../contract/telephony.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { SecretCipher } from '../../ports/secrets.ts';

type RequestedServer = NonNullable<UpdateTelephonyRequest['ice_servers']>[number];

/** Seals the list for rest; null for an empty one. */
export function sealIceServers(
  cipher: SecretCipher,
  companyId: CompanyId,
  servers: readonly IceServer[],
): string | null {
  return servers.length === 0 ? null : cipher.encrypt(JSON.stringify(servers), contextOf(companyId));
}

/** Opens a sealed list. Throws where it was sealed under another key or for another company. */
export function openIceServers(cipher: SecretCipher, companyId: CompanyId, sealed: string | null): IceServer[] {
  // Authenticated by the cipher: only `sealIceServers` can have written it.
  return sealed === null ? [] : (JSON.parse(cipher.decrypt(sealed, contextOf(companyId))) as IceServer[]);
}

/**
 * Merges a requested list into the stored one: a server without a credential keeps the stored credential where
 * URLs and user are the same. A TURN server without user or credential is refused: with one in their list,
 * browsers make no connection at all.
 */
export function mergeIceServers(
  requested: readonly RequestedServer[],
  stored: readonly IceServer[],
): Outcome<IceServer[]> {
  const servers: IceServer[] = [];
  for (const [index, { urls, username: given, credential }] of requested.entries()) {
    // The settings show null where there is none.
    const username = given ?? undefined;
    const kept = credential ?? stored.find((server) => isSame(server, { urls, username }))?.credential;
    const missing = username === undefined ? 'username' : kept === undefined ? 'credential' : null;
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

function isSame(server: IceServer, { urls, username }: { urls: string[]; username: string | undefined }): boolean {
  return server.username === username && server.urls.join(' ') === urls.join(' ');
}

/** Not a webhook secret's context: one sealed text must not open in place of another. */
function contextOf(companyId: CompanyId): string {
  return `ice-servers:${companyId}`;
}
