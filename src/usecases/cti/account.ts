import type { AccountField, AccountSettings } from '../../connectors/accounts/account.ts';
import { connectors } from '../../connectors/registry.ts';
import type { CtiConnectionView, AccountCheck, DialVia } from '../../contract/ctiConnections.ts';
import type { FieldError } from '../../contract/fieldErrors.ts';
import { platformName } from '../../contract/platforms.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import { followPlatform } from '../agents/platformState.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import { limitRate } from '../integrations/endpointRequest.ts';
import type { Services } from '../services.ts';

/** A check asks the platform, or a server that the company names. */
const checks = { limit: 20, windowSeconds: 60 };

export const noConnection = refuse('not_found', 'The company has no connection with that platform.');

type Needs = Pick<Services, 'agentCard' | 'cipher' | 'ctiConnections' | 'observer' | 'presence' | 'softphones' | 'urlGuard' | 'wakePlatformListener'>;
type Change = { dial_via?: DialVia | undefined; listens?: boolean | undefined; account?: Record<string, string> | null | undefined };

/**
 * Who dials for the agents whose state a platform sets, whether the gateway listens there by itself, and the account that both take. Who dials
 * holds for all agents at once. Refuses with `not_found`, `invalid_request` and `conflict`, and nothing was changed then.
 */
export async function changeCtiConnection(
  services: Needs,
  companyId: CompanyId,
  connector: string,
  { account: given, dial_via: dialVia, listens }: Change,
): Promise<Outcome<null>> {
  const connection = await services.ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  const settings = given === undefined ? ok(undefined) : await readSettings(services, connection, given);
  if (settings.kind === 'refused') return settings;
  const after = settings.value === undefined ? accountSettings(services.cipher, connection) : settings.value;
  const takesAccount = (dialVia ?? connection.dialVia) === 'platform' || (listens ?? connection.listens);
  if (takesAccount && after === null) return fieldsOf(connector) === null ? withoutAccount(connector) : notSet(connector);
  const accountEncrypted = settings.value == null ? settings.value : services.cipher.encrypt(JSON.stringify(settings.value), contextOf(connection));
  if (!(await services.ctiConnections.change(companyId, connector, { dialVia, listens, accountEncrypted }))) return noConnection;
  services.wakePlatformListener();
  if (dialVia !== undefined && dialVia !== connection.dialVia) await tellAgents(services, companyId, connector, dialVia);
  return ok(null);
}

/** Whether the platform takes what is set, without a dial. Refuses with `not_found`, `conflict` and `rate_limited`. */
export async function checkAccount(
  { cipher, counters, ctiConnections, platformDialer }: Pick<Services, 'cipher' | 'counters' | 'ctiConnections' | 'platformDialer'>,
  companyId: CompanyId,
  connector: string,
): Promise<Outcome<AccountCheck>> {
  const connection = await ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  if (fieldsOf(connector) === null) return withoutAccount(connector);
  if (accountSettings(cipher, connection) === null) return notSet(connector);
  const tooMany = await limitRate(counters, `checks of accounts of ${companyId}`, 'checks', checks);
  if (tooMany !== null) return tooMany;
  const found = await platformDialer.check(connection);
  return ok({ outcome: found.kind, detail: found.kind === 'ok' ? null : found.said });
}

/** What the account at a platform takes, and what of it is set, without secrets; null: the gateway asks nothing there. */
export function accountView(cipher: SecretCipher, connection: CtiConnection): CtiConnectionView['account'] {
  const fields = fieldsOf(connection.connector);
  if (fields === null) return null;
  const settings = accountSettings(cipher, connection);
  const shown = fields.filter(({ isSecret }) => !isSecret).flatMap(({ name }) => (settings?.[name] === undefined ? [] : [[name, settings[name]] as const]));
  return {
    fields: fields.map(({ choices, example, isOptional, isSecret, name }) => ({ name, is_secret: isSecret, is_optional: isOptional, choices: choices === null ? null : [...choices], example })),
    settings: settings === null ? null : Object.fromEntries(shown),
  };
}

/** What was sealed; null: nothing is set, or it cannot be opened any more: the key of this gateway is another. */
export function accountSettings(cipher: SecretCipher, connection: CtiConnection): AccountSettings | null {
  if (connection.accountEncrypted === null) return null;
  try {
    return JSON.parse(cipher.decrypt(connection.accountEncrypted, contextOf(connection))) as AccountSettings;
  } catch {
    return null;
  }
}

function fieldsOf(connector: string): readonly AccountField[] | null {
  return connectors.get(connector)?.account?.fields ?? null;
}

function withoutAccount(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `The gateway asks nothing of ${name} by itself.`, { cause: { code: 'platform_without_account', params: { name } } });
}

function notSet(connector: string): Refused {
  const name = platformName(connector);
  return refuse('conflict', `The account at ${name} is not set.`, { cause: { code: 'platform_account_not_set', params: { name } } });
}

/** The settings as they are to be kept. A secret stays only with the address that it was given for: it must not be sent to another. */
async function readSettings({ cipher, urlGuard }: Needs, connection: CtiConnection, given: Record<string, string> | null): Promise<Outcome<AccountSettings | null>> {
  const fields = fieldsOf(connection.connector);
  if (fields === null) return withoutAccount(connection.connector);
  if (given === null) return ok(null);
  const stored = accountSettings(cipher, connection);
  const isMoved = fields.some(({ isUrl, name }) => isUrl && given[name] !== stored?.[name]);
  const errors: FieldError[] = Object.keys(given)
    .filter((name) => fields.every((field) => field.name !== name))
    .map((name) => ({ path: `account.${name}`, message: 'is not a setting of this platform', code: 'unknown_field' }));
  const settings: Record<string, string> = {};
  for (const { choices, isOptional, isSecret, isUrl, name } of fields) {
    const path = `account.${name}`;
    const value = given[name]?.trim() ?? (isSecret && !isMoved ? stored?.[name] : undefined) ?? '';
    if (value === '') {
      if (!isOptional) errors.push({ path, message: 'is required', code: 'required' });
      continue;
    }
    if (choices !== null && !choices.includes(value)) errors.push({ path, message: `must be one of ${choices.join(', ')}`, code: 'unknown_choice', params: { choices: [...choices] } });
    if (isUrl) {
      const verdict = await urlGuard.check(value);
      if (verdict.kind === 'refused') errors.push({ path, message: verdict.detail, ...verdict.cause });
    }
    settings[name] = value;
  }
  return errors.length > 0 ? refuse('invalid_request', 'Some fields do not fit.', { errors }) : ok(settings);
}

/** From now on, and not from the platform's next word on each of them. */
async function tellAgents(services: Needs, companyId: CompanyId, connector: string, dialsBy: DialVia): Promise<void> {
  const owned = (await services.presence.list(companyId)).filter(({ platform }) => platform?.connector === connector);
  await forEachConcurrently(owned, async ({ agentId, platform }) => {
    if (platform === null) return;
    const { before, callId, reason, state } = platform;
    await followPlatform(services, { companyId, agentId, connector, state, reason, callId, dialsBy, onlyForCall: before !== null });
  });
}

/** One sealed text must not open in place of another. */
function contextOf({ companyId, connector }: CtiConnection): string {
  return `cti-account:${companyId}:${connector}`;
}
