import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { AgentChange, SealedSipAccount } from '../../ports/agents.ts';
import type { SecretCipher } from '../../ports/secrets.ts';

type RequestedServer = { sip_user?: string | null | undefined; sip_secret?: string | null | undefined };

/** What a request changes of an agent's SIP account. Without a user the account has no secret either. */
export function sipAccountChange(
  cipher: SecretCipher,
  companyId: CompanyId,
  agentId: AgentId,
  { sip_user, sip_secret }: RequestedServer,
): Pick<AgentChange, 'sipUser' | 'sipSecretEncrypted'> {
  if (sip_user === null) return { sipUser: null, sipSecretEncrypted: null };
  return {
    ...(sip_user === undefined ? {} : { sipUser: sip_user }),
    ...(sip_secret === undefined
      ? {}
      : { sipSecretEncrypted: sip_secret === null ? null : cipher.encrypt(sip_secret, contextOf(companyId, agentId)) }),
  };
}

/** The account with its secret decrypted. Throws where that was encrypted under another key, or for another agent. */
export function openSipAccount(
  cipher: SecretCipher,
  companyId: CompanyId,
  agentId: AgentId,
  { user, secretEncrypted }: Pick<SealedSipAccount, 'user' | 'secretEncrypted'>,
): { user: string; secret: string } {
  return { user, secret: cipher.decrypt(secretEncrypted, contextOf(companyId, agentId)) };
}

/** An encrypted secret copied to another agent, even of the same company, cannot be decrypted. */
function contextOf(companyId: CompanyId, agentId: AgentId): string {
  return `sip-account:${companyId}:${agentId}`;
}
