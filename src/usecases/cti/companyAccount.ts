import type { AccountSettings, PlatformAccount } from '../../connectors/accounts/platformAccount.ts';
import { connectors } from '../../connectors/registry.ts';
import type { CtiConnectionView, AccountCheck, DialVia } from '../../contract/ctiConnections.ts';
import { platformName } from '../../contract/platforms.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { CtiConnection, DialedFor } from '../../ports/cti.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import { followPlatform } from '../agents/platformState.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import { limitRate } from '../integrations/endpointRequest.ts';
import type { Services } from '../services.ts';
import { fieldView, openSettings, readAccountSettings, sealSettings, withoutSecrets } from './accountSettings.ts';

/** A check asks the platform, or a server that the company names. */
const checks = { limit: 20, windowSeconds: 60 };

export const noConnection = refuse('not_found', 'The company has no connection with that platform.');

type Needs = Pick<
  Services,
  | 'agentCard'
  | 'cipher'
  | 'ctiConnections'
  | 'observer'
  | 'presence'
  | 'softphones'
  | 'urlGuard'
  | 'wakePlatformListener'
>;
type Change = {
  dial_via?: DialVia | undefined;
  listens?: boolean | undefined;
  account?: Record<string, string> | null | undefined;
};

/**
 * Who dials for the agents whose state a platform sets, whether the gateway listens there by itself, and the account
 * that both take. Who dials holds for all agents at once. Refuses with `not_found`, `invalid_request` and `conflict`,
 * and nothing was changed then.
 */
export async function changeCtiConnection(
  services: Needs,
  companyId: CompanyId,
  connector: string,
  { account: given, dial_via: dialVia, listens }: Change,
): Promise<Outcome<null>> {
  const connection = await services.ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  const account = accountAtPlatform(connector);
  if (account === null && given !== undefined) return withoutAccount(connector);
  const stored = accountSettings(services.cipher, connection);
  const settings =
    given == null ? ok(given) : await readAccountSettings(services, account?.fields ?? [], stored, given);
  if (settings.kind === 'refused') return settings;
  const after = settings.value === undefined ? stored : settings.value;
  const takesAccount = (dialVia ?? connection.dialVia) === 'platform' || (listens ?? connection.listens);
  if (takesAccount && account === null) return withoutAccount(connector);
  if (listens === true && account?.listening === null) return withoutListening(connector);
  if (takesAccount && after === null) return notSet(connector);
  const accountEncrypted =
    settings.value == null ? settings.value : sealSettings(services.cipher, settings.value, contextOf(connection));
  if (!(await services.ctiConnections.change(companyId, connector, { dialVia, listens, accountEncrypted })))
    return noConnection;
  services.wakePlatformListener();
  // Whether agents' states are asked for there.
  if (accountEncrypted !== undefined) services.softphones.settingsChanged(companyId);
  if (dialVia !== undefined && dialVia !== connection.dialVia)
    await tellAgents(services, companyId, connector, dialVia);
  return ok(null);
}

/** Whether the platform takes what is set, without a dial. Refuses with `not_found`, `conflict` and `rate_limited`. */
export async function checkPlatformAccount(
  {
    cipher,
    counters,
    ctiConnections,
    platformDialer,
  }: Pick<Services, 'cipher' | 'counters' | 'ctiConnections' | 'platformDialer'>,
  companyId: CompanyId,
  connector: string,
): Promise<Outcome<AccountCheck>> {
  const connection = await ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  const account = accountAtPlatform(connector);
  if (account === null) return withoutAccount(connector);
  if (account.agentFields.length > 0) return ofAgents(connector);
  if (accountSettings(cipher, connection) === null) return notSet(connector);
  return limitedCheck({ counters, platformDialer }, connection, null);
}

/**
 * Asks the platform, no more often than a company may. Refuses with `rate_limited`.
 * @param agent whose own log-in it is; null: the company's
 */
export async function limitedCheck(
  { counters, platformDialer }: Pick<Services, 'counters' | 'platformDialer'>,
  connection: CtiConnection,
  agent: DialedFor | null,
): Promise<Outcome<AccountCheck>> {
  const tooMany = await limitRate(counters, `checks of accounts of ${connection.companyId}`, 'checks', checks);
  if (tooMany !== null) return tooMany;
  const found = await platformDialer.check(connection, agent);
  return ok({ outcome: found.kind, detail: found.kind === 'ok' ? null : found.said });
}

/**
 * What the account at a platform takes, and what of it is set, without secrets; null: the gateway asks nothing there.
 */
export function accountView(cipher: SecretCipher, connection: CtiConnection): CtiConnectionView['account'] {
  const account = accountAtPlatform(connection.connector);
  if (account === null) return null;
  return {
    fields: account.fields.map(fieldView),
    settings: withoutSecrets(account.fields, accountSettings(cipher, connection)),
    agent_fields: account.agentFields.map(fieldView),
    can_listen: account.listening !== null,
  };
}

/** What was sealed; null: nothing is set, or it cannot be opened any more. */
export function accountSettings(cipher: SecretCipher, connection: CtiConnection): AccountSettings | null {
  return openSettings(cipher, connection.accountEncrypted, contextOf(connection));
}

export function accountAtPlatform(connector: string): PlatformAccount | null {
  return connectors.get(connector)?.account ?? null;
}

export function withoutAccount(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `The gateway asks nothing of ${name} by itself.`, {
    cause: { code: 'platform_without_account', params: { name } },
  });
}

function withoutListening(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `The gateway does not listen at ${name}: what that tells comes to the address.`, {
    cause: { code: 'platform_without_listening', params: { name } },
  });
}

function ofAgents(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `At ${name} each agent logs in: that is tried when it is set.`, {
    cause: { code: 'platform_account_of_agents', params: { name } },
  });
}

export function notSet(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `The account at ${name} is not set.`, {
    cause: { code: 'platform_account_not_set', params: { name } },
  });
}

/** From now on, and not from the platform's next word on each of them. */
async function tellAgents(services: Needs, companyId: CompanyId, connector: string, dialsBy: DialVia): Promise<void> {
  const owned = (await services.presence.list(companyId)).filter(({ platform }) => platform?.connector === connector);
  await forEachConcurrently(owned, async ({ agentId, platform }) => {
    if (platform === null) return;
    const { before, callId, reason, state } = platform;
    await followPlatform(services, {
      companyId,
      agentId,
      connector,
      state,
      reason,
      callId,
      dialsBy,
      onlyForCall: before !== null,
    });
  });
}

/** One sealed text must not open in place of another. */
function contextOf({ companyId, connector }: CtiConnection): string {
  return `cti-account:${companyId}:${connector}`;
}
