import type { z } from 'zod';
import type { ConnectCrmRequest, CrmCheck, CrmConnectionView, CrmPreview } from '../../contract/crm.ts';
import { type FieldError, fieldErrorsOf } from '../../contract/fieldErrors.ts';
import type { CrmProvider } from '../../contract/vocabulary.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { screenPopOf } from '../../domain/screenPop.ts';
import type { CrmAccount, CrmConnection, CrmConnectionSettings, CrmTrouble } from '../../ports/crm.ts';
import { type CrmResponse, UnreadableAnswer } from '../../providers/provider.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';
import { writtenScreenPop } from '../views/callView.ts';
import { accountOf, sealCredentials, siteOf } from './account.ts';
import { entryOf, severalOf } from './crmLookup.ts';
import { searchRecords } from './searchRecords.ts';

/** How long a record that was looked up is used again where the admin says nothing. Seconds. */
const usualKeepSeconds = 600;
/** How long a preview may take. Milliseconds. */
const previewWithinMs = 5_000;

type Needs = Pick<Services, 'cipher' | 'clock' | 'crm' | 'crmConnections' | 'crmProviders' | 'forget' | 'integrations' | 'settings'>;

/** A company's connection to its CRM, without any secret. */
export async function readCrmConnection(services: Needs, companyId: CompanyId): Promise<{ connection: CrmConnectionView | null }> {
  const connection = await services.crmConnections.find(companyId);
  return { connection: connection === null ? null : viewOf(services, companyId, connection) };
}

/**
 * Connects a company to its CRM, once one harmless request has proved the credentials; `credentials: null` disconnects. What
 * was connected before stays where the new credentials are refused. Without `credentials` those that are stored stay, and only
 * settings change; settings that are left out stay as they are. From then on (mode `pull`) callers are looked up there.
 */
export async function connectProvider(services: Needs, companyId: CompanyId, request: ConnectCrmRequest): Promise<Outcome<{ connection: CrmConnectionView | null }>> {
  const provider = services.crmProviders.byId.get(request.provider);
  if (provider === undefined) return invalid({ path: 'provider', message: 'is no CRM that the gateway can connect to', code: 'unknown_choice', params: { choices: [...services.crmProviders.byId.keys()] } });
  if (request.credentials === null) {
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
  const site = siteOf(services.crmProviders, provider, { credentials: credentials.value, options: options.value, facts: {} });
  const checked = await check(services, { companyId, provider, site });
  if (checked.kind === 'refused') return checked;
  const saved = await services.crmConnections.connect(companyId, {
    provider: provider.id,
    credentialsEncrypted: sealCredentials(services.cipher, companyId, credentials.value),
    facts: checked.value.facts,
    account: checked.value.account,
    ...settings,
  });
  // Whoever connects a CRM wants it to be asked.
  await services.integrations.update(companyId, () => ({ crmProvider: provider.id as CrmProvider, mode: 'pull' }));
  services.forget(companyId);
  return ok({ connection: viewOf(services, companyId, saved) });
}

/** Changes the settings of the connection, if it is still that one. */
async function changeSettings(services: Needs, companyId: CompanyId, former: CrmConnection | null, settings: CrmConnectionSettings): Promise<Outcome<{ connection: CrmConnectionView | null }>> {
  const changed = former === null ? null : await services.crmConnections.change(companyId, former, settings);
  if (changed === null) {
    return refuse('invalid_request', 'The company is not connected to this CRM: credentials are needed.', {
      errors: [{ path: 'credentials', message: 'is required', code: 'required' }],
    });
  }
  services.forget(companyId);
  return ok({ connection: viewOf(services, companyId, changed) });
}

/** Who the gateway is in the connected CRM, and what it may do there. Credentials that are good again end the need for attention. */
export async function checkCrm(services: Needs, companyId: CompanyId): Promise<Outcome<CrmCheck>> {
  const connected = await connectedAccount(services, companyId);
  if (connected.kind === 'refused') return connected;
  const checked = await check(services, connected.value.account);
  if (checked.kind === 'refused') return checked;
  await services.crmConnections.noteAttention(companyId, connected.value.connection, null);
  const { account, abilities } = checked.value;
  return ok({ account, abilities });
}

/** What would be shown for a number, asked of the CRM at this moment; nothing is kept. */
export async function previewCrm(services: Needs, companyId: CompanyId, phoneInput: string): Promise<Outcome<CrmPreview>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const connected = await connectedAccount(services, companyId);
  if (connected.kind === 'refused') return connected;
  const { account } = connected.value;
  const began = services.clock.now();
  const searched = await searchRecords(services, account, phone.value, began + previewWithinMs);
  if (searched.kind === 'failed') return refusedBy(account.provider.name, searched.trouble);
  const [first, ...others] = searched.records;
  const entry = first === undefined ? null : others.length > 0 ? severalOf(account, phone.value, searched.records) : await entryOf(services, account, phone.value, first, began + previewWithinMs);
  return ok({
    phone_number: phone.value,
    outcome: first === undefined ? 'none' : others.length === 0 ? 'one' : 'several',
    screen_pop: entry === null ? {} : writtenScreenPop(screenPopOf(entry)),
    took_ms: services.clock.now() - began,
  });
}

async function connectedAccount(services: Needs, companyId: CompanyId): Promise<Outcome<{ account: CrmAccount; connection: CrmConnection }>> {
  const connection = await services.crmConnections.find(companyId);
  const account = connection === null ? null : accountOf(services, companyId, connection);
  return connection === null || account === null ? refuse('conflict', 'The company is not connected to a CRM.', { cause: { code: 'no_crm_connected' } }) : ok({ account, connection });
}

type Checked = CrmCheck & { facts: Record<string, string> };

/** Proves credentials by one harmless request, and what they allow by one more for each ability. */
async function check({ crm }: Needs, account: CrmAccount): Promise<Outcome<Checked>> {
  const { provider, site } = account;
  const trial = await crm.tryOut(account);
  if (trial.kind === 'failed') return refusedBy(provider.name, trial.trouble);
  const answer = await trial.send(provider.checkRequest(site));
  if (answer.kind === 'failed') return refusedBy(provider.name, answer.trouble);
  const told = readCheck(account, answer.response);
  if (told.kind === 'refused') return told;
  const facts = { ...told.value.facts };
  const abilities: CrmCheck['abilities'] = [];
  for (const { ability, request, needs, fact } of provider.probes({ ...site, facts })) {
    const probed = await trial.send(request);
    const trouble = probed.kind === 'failed' && probed.trouble.kind !== 'not_found' ? probed.trouble : null;
    if (fact !== undefined) facts[fact] = trouble === null ? 'yes' : 'no';
    else abilities.push({ ability, works: trouble === null, needs: trouble === null ? null : needs, detail: trouble?.message ?? null });
  }
  abilities.push({ ability: 'link', works: true, needs: null, detail: null });
  return ok({ account: told.value.account, facts, abilities });
}

function readCheck({ provider, site }: CrmAccount, response: CrmResponse): Outcome<{ account: string; facts: Record<string, string> }> {
  try {
    return ok(provider.parseCheck(response, site));
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return refusedBy(provider.name, { kind: 'unavailable', message: error.message });
  }
}

/** What a CRM would not do, for the admin: the credentials are at fault, or it is asked again later. */
function refusedBy(name: string, trouble: CrmTrouble): Refused {
  switch (trouble.kind) {
    case 'unauthorized':
    case 'forbidden':
    case 'invalid':
    case 'not_found':
    case 'exists':
      return refuse('invalid_request', `${name} refuses these credentials.`, {
        errors: [{ path: 'credentials', message: `are refused by ${name}: ${trouble.message}`, code: 'refused_by_crm', params: { name, words: trouble.message } }],
      });
    case 'rate_limited':
    case 'unavailable':
    case 'no_answer':
      return refuse('dependency_unavailable', `${name} does not answer as it should: ${trouble.message}`, { retryAfterSeconds: 10 });
  }
}

function read<T>(schema: z.ZodType<T>, given: unknown, path: string): Outcome<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return ok(parsed.data);
  return refuse('invalid_request', 'Some fields do not fit.', {
    errors: parsed.error.issues.flatMap((issue) => fieldErrorsOf({ ...issue, path: [path, ...issue.path] })),
  });
}

function invalid(error: FieldError): Refused {
  return refuse('invalid_request', 'Some fields do not fit.', { errors: [error] });
}

function viewOf({ crm, crmProviders }: Pick<Services, 'crm' | 'crmProviders'>, companyId: CompanyId, connection: CrmConnection): CrmConnectionView {
  const pausedUntil = crm.pausedUntil(companyId);
  return {
    provider: connection.provider,
    name: crmProviders.byId.get(connection.provider)?.name ?? connection.provider,
    state: connection.attention === null ? 'connected' : 'needs_attention',
    detail: connection.attention,
    paused_until: pausedUntil === null ? null : new Date(pausedUntil).toISOString(),
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
  return log?.once === 'native' && (log.prepare === undefined || facts[log.prepare.fact] === 'yes') ? 'native' : 'looked_up';
}
