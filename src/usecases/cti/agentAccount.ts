import type { AccountSettings } from '../../connectors/accounts/platformAccount.ts';
import type { AccountCheck } from '../../contract/ctiConnections.ts';
import { platformName } from '../../contract/platforms.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { DialedFor } from '../../ports/cti.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { Services } from '../services.ts';
import {
  accountAtPlatform,
  accountSettings,
  limitedCheck,
  noConnection,
  notSet,
  withoutAccount,
} from './companyAccount.ts';
import { openSettings, readAccountSettings, sealSettings } from './accountSettings.ts';

export const noPlatformAgent = refuse(
  'not_found',
  'The platform has told of no such agent, and nobody has said who it is.',
);

type Needs = Pick<
  Services,
  'cipher' | 'counters' | 'ctiConnections' | 'platformAgents' | 'platformDialer' | 'softphones' | 'urlGuard'
>;

/**
 * Keeps what an agent logs in with at a platform that dials for nobody else, sealed, and tries it; it is kept whatever
 * the platform says. Null: nothing is set any more. Refuses with `not_found`, `conflict`, `invalid_request` and
 * `rate_limited`, and nothing was changed then, but for too many tries.
 */
export async function setAgentAccount(
  services: Needs,
  companyId: CompanyId,
  { connector, platform_id: platformId }: { connector: string; platform_id: string },
  given: Record<string, string> | null,
): Promise<Outcome<AccountCheck>> {
  const connection = await services.ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  const account = accountAtPlatform(connector);
  if (account === null) return withoutAccount(connector);
  if (account.agentFields.length === 0) return ofCompany(connector);
  const agent = await services.platformAgents.find(companyId, connector, platformId);
  if (agent === null) return noPlatformAgent;
  if (given === null) {
    await services.platformAgents.setAccount(companyId, connector, platformId, null);
    services.softphones.settingsChanged(companyId);
    return ok({ outcome: 'ok', detail: null });
  }
  if (accountSettings(services.cipher, connection) === null) return notSet(connector);
  const through = { connection, platformId, accountEncrypted: agent.accountEncrypted };
  const before = agentSettings(services.cipher, through);
  const settings = await readAccountSettings(services, account.agentFields, before, given);
  if (settings.kind === 'refused') return settings;
  // As it was: so is the token, whose refresh token may have replaced the one of the settings.
  if (JSON.stringify(settings.value) === JSON.stringify(before)) return limitedCheck(services, connection, through);
  const accountEncrypted = sealSettings(services.cipher, settings.value, contextOf(services.cipher, through));
  if (!(await services.platformAgents.setAccount(companyId, connector, platformId, accountEncrypted)))
    return noPlatformAgent;
  services.softphones.settingsChanged(companyId);
  return limitedCheck(services, connection, { ...through, accountEncrypted });
}

/**
 * What was sealed of an agent's log-in; null: nothing is set,
 * or the company's server is at another address by now: it must not be sent there.
 */
export function agentSettings(cipher: SecretCipher, agent: DialedFor): AccountSettings | null {
  return openSettings(cipher, agent.accountEncrypted, contextOf(cipher, agent));
}

function ofCompany(connector: string) {
  const name = platformName(connector);
  return refuse('conflict', `${name} dials by the company’s account: agents have none of their own.`, {
    cause: { code: 'platform_account_of_company', params: { name } },
  });
}

/** One sealed text must not open in place of another, nor for another address. */
function contextOf(cipher: SecretCipher, { connection, platformId }: DialedFor): string {
  const { companyId, connector } = connection;
  const settings = accountSettings(cipher, connection);
  const addresses = (accountAtPlatform(connector)?.fields ?? [])
    .filter(({ isUrl }) => isUrl)
    .map(({ name }) => settings?.[name] ?? '');
  return ['cti-agent-account', companyId, connector, platformId, ...addresses].join(':');
}
