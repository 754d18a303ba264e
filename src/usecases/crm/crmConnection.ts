import type { z } from 'zod';
import type { ConnectCrmRequest, CrmConnectionView } from '../../contract/crm.ts';
import { fieldErrorsOf } from '../../contract/fieldErrors.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { CrmConnection, CrmConnectionSettings, PreparedLogin } from '../../ports/crm.ts';
import type { Services } from '../services.ts';
import {
  canLogIn,
  credentialsUnreadable,
  openAccount,
  sealCredentials,
  siteOf,
  unknownProvider,
} from './crmAccount.ts';
import { checkCrmAccount, refusedBy } from './checkCrmAccount.ts';
import { trialOf } from './tryConnection.ts';

/** How long a record that was looked up is used again where the admin says nothing. Seconds. */
const usualKeepSeconds = 600;

type Needs = Pick<
  Services,
  | 'cipher'
  | 'clock'
  | 'crm'
  | 'crmConnections'
  | 'crmLogins'
  | 'crmProviders'
  | 'observer'
  | 'forget'
  | 'integrations'
  | 'companyOf'
>;

/** A company's connection to its CRM, without any secret. */
export async function readCrmConnection(
  services: Needs,
  companyId: CompanyId,
): Promise<{ connection: CrmConnectionView | null }> {
  const [connection, login] = await Promise.all([
    services.crmConnections.find(companyId),
    services.crmLogins.find(companyId),
  ]);
  if (connection === null) return { connection: login === null ? null : await loginView(services, companyId, login) };
  const view = await viewOf(services, companyId, connection);
  return { connection: { ...view, can_log_in: view.can_log_in || login?.provider === connection.provider } };
}

/**
 * Connects a company to its CRM, once one harmless request has proved the credentials; `credentials: null` disconnects.
 * What was connected before stays where the new credentials are refused. Without `credentials` those that are stored
 * stay, and only settings change; settings that are left out stay as they are. From then on (mode `pull`) callers are
 * looked up there.
 */
export async function connectProvider(
  services: Needs,
  companyId: CompanyId,
  request: ConnectCrmRequest,
): Promise<Outcome<{ connection: CrmConnectionView | null }>> {
  const provider = services.crmProviders.byId.get(request.provider);
  if (provider === undefined) return unknownProvider(services.crmProviders, 'provider');
  if (request.credentials === null) {
    await services.crmLogins.remove(companyId);
    await services.crmConnections.disconnect(companyId);
    await services.integrations.update(companyId, ({ mode }) => (mode === 'pull' ? { mode: 'push' } : {}));
    services.forget(companyId);
    return ok({ connection: null });
  }
  const stored = await services.crmConnections.find(companyId);
  const former = stored?.provider === provider.id ? stored : null;
  const options = read(provider.options, request.options ?? former?.options ?? {}, 'options');
  if (options.kind === 'refused') return options;
  const settings: CrmConnectionSettings = {
    options: options.value,
    keepSeconds: request.keep_seconds ?? former?.keepSeconds ?? usualKeepSeconds,
    logCalls: request.log_calls ?? former?.logCalls ?? 'all',
    dispositions: request.dispositions ?? former?.dispositions ?? {},
  };
  if (request.credentials === undefined) return changeSettings(services, companyId, former, settings);
  const credentials = read(provider.credentials, request.credentials, 'credentials');
  if (credentials.kind === 'refused') return credentials;
  const credentialsEncrypted = sealCredentials(services.cipher, companyId, credentials.value);
  if (provider.authorization?.needsLogin(credentials.value) === true) {
    const { provider: _known, credentials: _sealed, ...later } = request;
    await services.crmLogins.save(companyId, { provider: provider.id, credentialsEncrypted, settings: later });
    // The company's choice, unless it would be taken from a connection that works.
    if (stored === null) await services.integrations.update(companyId, () => ({ crmProvider: provider.id }));
    return ok(await readCrmConnection(services, companyId));
  }
  const site = siteOf(services.crmProviders, provider, {
    credentials: credentials.value,
    options: options.value,
    facts: {},
  });
  const trial = await services.crm.tryOut({ companyId, provider, site });
  if (trial.kind === 'failed') return refusedBy(provider.name, trial.trouble);
  const checked = await checkCrmAccount({ provider, site }, trial.send);
  if (checked.kind === 'refused') return checked;
  const { account, facts } = checked.value;
  const saved = await services.crmConnections.connect(
    companyId,
    { provider: provider.id, credentialsEncrypted, facts, account, ...settings },
    trial.token,
  );
  await services.crmLogins.remove(companyId);
  // Whoever connects a CRM wants it to be asked.
  await services.integrations.update(companyId, () => ({ crmProvider: provider.id, mode: 'pull' }));
  services.forget(companyId);
  return ok({ connection: await viewOf(services, companyId, saved) });
}

/**
 * Changes the settings of the connection, if it is still that one.
 * What the facts tell may depend on the options: they are checked anew.
 */
async function changeSettings(
  services: Needs,
  companyId: CompanyId,
  former: CrmConnection | null,
  settings: CrmConnectionSettings,
): Promise<Outcome<{ connection: CrmConnectionView | null }>> {
  const account =
    former === null || isSame(former.options, settings.options)
      ? null
      : await openAccount(services, companyId, { ...former, ...settings });
  if (account === 'sealed') return credentialsUnreadable;
  if (former !== null && account !== null) {
    const checked = await checkCrmAccount(account, trialOf(services, { account, connection: former }));
    if (checked.kind === 'refused') return checked;
    await services.crmConnections.noteCheck(companyId, former, checked.value);
  }
  const changed = former === null ? null : await services.crmConnections.change(companyId, former, settings);
  if (changed === null) {
    return refuse('invalid_request', 'The company is not connected to this CRM: credentials are needed.', {
      errors: [{ path: 'credentials', message: 'is required', code: 'required' }],
    });
  }
  services.forget(companyId);
  return ok(await readCrmConnection(services, companyId));
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  return Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
}

function read<T>(schema: z.ZodType<T>, given: unknown, path: string): Outcome<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return ok(parsed.data);
  return refuse('invalid_request', 'Some fields do not fit.', {
    errors: parsed.error.issues.flatMap((issue) => fieldErrorsOf({ ...issue, path: [path, ...issue.path] })),
  });
}

/** What is shown while an admin has still to log in. */
async function loginView(
  services: Needs,
  companyId: CompanyId,
  { provider, settings, createdAt }: PreparedLogin,
): Promise<CrmConnectionView> {
  const {
    options = {},
    keep_seconds: keepSeconds = usualKeepSeconds,
    log_calls: logCalls = 'all',
    dispositions = {},
  } = settings as Partial<ConnectCrmRequest>;
  const prepared = {
    provider,
    options,
    keepSeconds,
    logCalls,
    dispositions,
    connectedAt: createdAt,
    updatedAt: createdAt,
  };
  const nothing = { credentialsEncrypted: '', facts: {}, account: '', attention: null };
  return {
    ...(await viewOf(services, companyId, { ...prepared, ...nothing })),
    state: 'needs_login',
    can_log_in: true,
  };
}

async function viewOf(
  services: Pick<Services, 'cipher' | 'crm' | 'crmProviders'>,
  companyId: CompanyId,
  connection: CrmConnection,
): Promise<CrmConnectionView> {
  const { crm, crmProviders } = services;
  const pause = await crm.pauseOf(companyId, connection.provider);
  return {
    provider: connection.provider,
    name: crmProviders.byId.get(connection.provider)?.name ?? connection.provider,
    state: connection.attention === null ? 'connected' : 'needs_attention',
    detail: connection.attention,
    paused_until: pause === null ? null : new Date(pause.until).toISOString(),
    paused_because: pause?.why ?? null,
    can_log_in: canLogIn(services, companyId, connection),
    account: connection.account,
    options: connection.options,
    keep_seconds: connection.keepSeconds,
    log_calls: connection.logCalls,
    dispositions: connection.dispositions,
    once: onceOf(crmProviders, connection),
    connected_at: connection.connectedAt.toISOString(),
  };
}

/** `native` where the provider itself refuses a repeat: some need what is made when they are connected. */
function onceOf({ byId }: Services['crmProviders'], { provider, facts }: CrmConnection): CrmConnectionView['once'] {
  const log = byId.get(provider)?.logRequests;
  return log?.once === 'native' && (log.prepare === undefined || facts[log.prepare.fact] === 'yes')
    ? 'native'
    : 'looked_up';
}
