import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { AgentChange, SealedSipAccount } from '../../ports/agents.ts';
import type { SecretCipher } from '../../ports/secrets.ts';

type Wish = { sip_user?: string | null | undefined; sip_secret?: string | null | undefined };

/** What a wish changes of an agent's SIP account. Without its user an account has no secret either. */
export function sipAccountChange(
  cipher: SecretCipher,
  companyId: CompanyId,
  agentId: AgentId,
  { sip_user, sip_secret }: Wish,
): Pick<AgentChange, 'sipUser' | 'sipSecretEncrypted'> {
  if (sip_user === null) return { sipUser: null, sipSecretEncrypted: null };
  return {
    ...(sip_user === undefined ? {} : { sipUser: sip_user }),
    ...(sip_secret === undefined
      ? {}
      : { sipSecretEncrypted: sip_secret === null ? null : cipher.encrypt(sip_secret, contextOf(companyId, agentId)) }),
  };
}

/** The account in clear. Throws where its secret was sealed under another key, or for another agent. */
export function openSipAccount(
  cipher: SecretCipher,
  companyId: CompanyId,
  agentId: AgentId,
  { user, secretEncrypted }: Pick<SealedSipAccount, 'user' | 'secretEncrypted'>,
): { user: string; secret: string } {
  return { user, secret: cipher.decrypt(secretEncrypted, contextOf(companyId, agentId)) };
}

/** A sealed secret that was copied to another agent, of this company too, does not open. */
function contextOf(companyId: CompanyId, agentId: AgentId): string {
  return `sip-account:${companyId}:${agentId}`;
}
