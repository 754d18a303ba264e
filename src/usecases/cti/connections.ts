import { connectors } from '../../connectors/registry.ts';
import type { Connector } from '../../connectors/connector.ts';
import type { CtiConnectionView, IssuedCtiConnection } from '../../contract/ctiConnections.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import { leavePlatform } from '../agents/platformState.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { CallServices, Services } from '../services.ts';
import { accountView, noConnection } from './companyAccount.ts';
import { endCallsOf } from './silentCalls.ts';

type Needs = Pick<
  Services,
  | 'agentCard'
  | 'apiKeys'
  | 'cipher'
  | 'ctiConnections'
  | 'forget'
  | 'newSecretText'
  | 'observer'
  | 'presence'
  | 'softphones'
>;

/** The path at which a platform tells of its calls and agents; `…` stands for a token that was shown before. */
export function ctiEventsPathOf(connector: string, token = '…'): string {
  return `/api/integrations/cti/events/${connector}/${token}`;
}

/** The company's connections, without tokens and secrets. @param publicUrl null: only the path is known */
export async function listCtiConnections(
  { cipher, ctiConnections }: Pick<Services, 'cipher' | 'ctiConnections'>,
  companyId: CompanyId,
  publicUrl: string | null,
): Promise<{ connections: CtiConnectionView[] }> {
  const connections = (await ctiConnections.list(companyId)).map((one) => ({
    connector: one.connector,
    url: (publicUrl ?? '') + ctiEventsPathOf(one.connector),
    signs: one.secretEncrypted !== null,
    dial_via: one.dialVia,
    account: accountView(cipher, one),
    listens: one.listens,
    listening_error: one.listens ? one.listenerError : null,
    issued_at: one.issuedAt.toISOString(),
    last_received_at: one.lastReceivedAt?.toISOString() ?? null,
    agents: one.agents,
  }));
  return { connections };
}

/** Makes the address at which a platform tells of its calls; the one before, and its secret, are void at once. */
export async function issueCtiConnection(
  services: Needs,
  companyId: CompanyId,
  id: string,
  publicUrl: string | null,
): Promise<Outcome<IssuedCtiConnection>> {
  const connector = connectors.get(id);
  if (connector === undefined) {
    return refuse('invalid_request', 'Some fields do not fit.', {
      errors: [
        {
          path: 'connector',
          message: 'is no connector that tells of calls',
          code: 'unknown_choice',
          params: { choices: [...connectors.keys()] },
        },
      ],
    });
  }
  const token = services.newSecretText();
  const secret = connector.verify === null ? null : services.newSecretText();
  await services.ctiConnections.issue(companyId, connector.id, {
    tokenHash: services.apiKeys.hash(token),
    secretEncrypted: secret === null ? null : services.cipher.encrypt(secret, secretContext(companyId, connector.id)),
  });
  services.forget(companyId);
  return ok({ connector: connector.id, url: (publicUrl ?? '') + ctiEventsPathOf(connector.id, token), token, secret });
}

/**
 * Nothing that comes to the address is taken any more: its calls are over here,
 * and agents whose state it set are their own masters again.
 */
export async function removeCtiConnection(
  services: Needs & CallServices,
  companyId: CompanyId,
  connector: string,
): Promise<Outcome<null>> {
  if (!(await services.ctiConnections.remove(companyId, connector))) return noConnection;
  services.forget(companyId);
  await endCallsOf(services, companyId, connector);
  const owned = (await services.presence.list(companyId)).filter(({ platform }) => platform?.connector === connector);
  await forEachConcurrently(
    owned,
    async ({ agentId }) => void (await leavePlatform(services, { companyId, agentId, connector })),
  );
  return ok(null);
}

/** What a platform signs with; null: it does not. */
export function signingSecret(
  cipher: SecretCipher,
  connector: Connector,
  { companyId, secretEncrypted }: CtiConnection,
): string | null {
  return secretEncrypted === null ? null : cipher.decrypt(secretEncrypted, secretContext(companyId, connector.id));
}

/** One sealed text must not open in place of another. */
function secretContext(companyId: CompanyId, connector: string): string {
  return `cti-connection:${companyId}:${connector}`;
}
