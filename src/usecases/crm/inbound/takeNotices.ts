import { createHash } from 'node:crypto';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../../domain/outcome.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import type { InboundAddress } from '../../../ports/crmInbound.ts';
import type { CrmNoticeOutcome } from '../../../ports/observer.ts';
import {
  type Inbound,
  type InboundRequest,
  type Provider,
  type RecordRef,
  type Site,
  UnreadableAnswer,
  type Verdict,
} from '../../../providers/provider.ts';
import { forEachConcurrently } from '../../concurrency/forEachConcurrently.ts';
import type { Services } from '../../services.ts';
import { openAccount } from '../crmAccount.ts';
import { checkingSecret, signerOf } from './addresses.ts';
import { entriesOf } from './keepRecord.ts';

/** Notices of one address in a minute. CRM systems send again what is refused so. */
const perMinute = 1_200;
/** Wrong addresses from one network address in a minute. */
const wrongPerMinute = 60;
/** As tokens are issued. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;
/**
 * A notice is known again for so long: it may be dated five minutes ahead,
 * and is taken until it is five minutes old. Seconds.
 */
const knownForSeconds = 600;

/** When it is worth sending again what found no room. Zendesk follows less than a minute only. Seconds. */
const retryFullSeconds = 30;

type Needs = Pick<
  Services,
  | 'apiKeys'
  | 'cipher'
  | 'clock'
  | 'counters'
  | 'crmConnections'
  | 'crmInbound'
  | 'crmProviders'
  | 'crmNotices'
  | 'crmRecordReader'
  | 'observer'
  | 'screenPops'
  | 'companyOf'
>;

/** What the provider is answered. */
export type NoticeAnswer = { status: number; contentType: string; body: string };

/**
 * Whose address that is, before anything of a request is read. Refuses with `not_found` where it is nobody's, and with
 * `rate_limited`. Wrong addresses count against whoever asks for them; a right one is taken from everywhere.
 * @param caller the network address that it came from
 */
export async function findAddress(
  services: Needs,
  { provider, token }: { provider: string; token: string },
  caller: string,
): Promise<Outcome<InboundAddress>> {
  const { apiKeys, counters, crmInbound } = services;
  const address = tokenForm.test(token) ? await crmInbound.findByTokenHash(apiKeys.hash(token)) : null;
  if (address === null || address.provider !== provider) {
    const { points, endsInMs } = await counters.add(`wrong crm addresses from ${caller}`, 1, 60);
    return points > wrongPerMinute
      ? tooMany(wrongPerMinute, endsInMs)
      : refuse('not_found', 'There is nothing at this address.');
  }
  const { points, endsInMs } = await counters.add(`crm notices ${address.companyId} ${provider}`, 1, 60);
  return points > perMinute ? tooMany(perMinute, endsInMs) : ok(address);
}

/**
 * Takes what a CRM tells of its records: proves that it is the CRM's, keeps records for all their numbers, has those
 * read of which only an id came, and forgets what was deleted. A notice that came before is answered as if it were new,
 * and changes nothing. Refuses with `invalid_signature` or `invalid_request`, and nothing was changed then; and with
 * `rate_limited` where too many records wait to be read: what is sent again then counts.
 */
export async function takeNotices(
  services: Needs,
  address: InboundAddress,
  given: Omit<InboundRequest, 'receivedAt'>,
): Promise<Outcome<NoticeAnswer>> {
  const { companyId } = address;
  const provider = services.crmProviders.byId.get(address.provider);
  if (provider === undefined) return refuse('not_found', 'There is nothing at this address.');
  const request = { ...given, receivedAt: services.clock.now() };
  const proven = proofOf(services, provider, address, request);
  if (proven !== null) return proven;
  const connection = await services.crmConnections.find(companyId);
  const opened = connection?.provider === provider.id ? await openAccount(services, companyId, connection) : null;
  const account = opened === 'sealed' ? null : opened;
  const site = account?.site ?? unknownSite(provider);
  const notices = read(provider, request, site);
  if (notices.kind === 'refused') return notices;
  const fresh = await withoutRepeated(services, { companyId, provider }, keyed(provider, request, notices.value));
  // The CRM sends it again, and then it must count.
  const forgetRepeats = () => Promise.all(fresh.keys.map((key) => services.counters.clear(key)));
  try {
    const isKept = await take(services, { companyId, provider, site: account?.site ?? null }, fresh.notices);
    if (!isKept) {
      await forgetRepeats();
      return await tooManyWait(services, companyId, provider);
    }
  } catch (error) {
    await forgetRepeats();
    throw error;
  }
  await services.crmInbound.noteReceived(companyId, provider.id);
  return ok(provider.inboundAnswer ?? { status: 200, contentType: 'application/json; charset=utf-8', body: '{}' });
}

const refusals: Record<Exclude<Verdict, 'ok'>, Refused> = {
  missing: refuse('invalid_signature', 'The signature or secret is missing.', { cause: { code: 'signature_missing' } }),
  mismatch: refuse('invalid_signature', 'The signature or secret is not the one of this address.', {
    cause: { code: 'signature_wrong' },
  }),
  stale: refuse('invalid_signature', 'The time of the notice is missing, or more than five minutes off.', {
    cause: { code: 'signature_stale' },
  }),
};

/** Null: the request is the provider's. */
function proofOf(
  { cipher }: Needs,
  provider: Provider<unknown>,
  address: InboundAddress,
  request: InboundRequest,
): Refused | null {
  const secret = checkingSecret(cipher, provider, address);
  if (secret === null && signerOf(provider) === 'provider') {
    return refuse(
      'invalid_signature',
      `The signing secret of ${provider.name} ` +
        `has not been entered yet, so that its notices cannot be told from others'.`,
      {
        cause: { code: 'signing_secret_not_set' },
      },
    );
  }
  const verdict = provider.verify(request, secret);
  return verdict === 'ok' ? null : refusals[verdict];
}

function read(provider: Provider<unknown>, request: InboundRequest, site: Site<unknown>): Outcome<Inbound[]> {
  try {
    return ok(provider.parseInbound(request, site));
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return refuse('invalid_request', `That is no notice of ${provider.name}: ${error.message}`, {
      cause: { code: 'unreadable' },
    });
  }
}

/** Where nobody said where it is: enough to read what comes from there. */
function unknownSite({ options }: Provider<unknown>): Site<unknown> {
  const usual = options.safeParse({});
  return {
    credentials: null,
    addresses: { api: '', login: '', app: '' },
    facts: {},
    options: usual.success ? usual.data : {},
  };
}

type Keyed = { notice: Inbound; key: string | null };

/** Each notice with what tells it from others: the provider's key, or what was signed together with a time. */
function keyed({ signs }: Provider<unknown>, { headers, body }: InboundRequest, notices: Inbound[]): Keyed[] {
  const time = Object.entries(headers).find(([name]) => name.endsWith('timestamp'))?.[1];
  const signed = signs && time !== undefined ? `${time} ${createHash('sha256').update(body).digest('base64')}` : null;
  return notices.map((notice, index) => ({
    notice,
    key: ('key' in notice ? notice.key : null) ?? (signed === null ? null : `${signed} ${index}`),
  }));
}

/** Those that have not come before, and what marks them as known from now on. */
async function withoutRepeated(
  { counters, observer }: Needs,
  { companyId, provider }: { companyId: CompanyId; provider: Provider<unknown> },
  notices: Keyed[],
): Promise<{ notices: Inbound[]; keys: string[] }> {
  const keys: string[] = [];
  const isRepeated = new Set<Keyed>();
  await forEachConcurrently(notices, async (one) => {
    if (one.key === null) return;
    const key = `crm notice ${companyId} ${provider.id} ${one.key}`;
    const { points } = await counters.add(key, 1, knownForSeconds);
    if (points === 1) keys.push(key);
    else isRepeated.add(one);
  });
  for (let count = isRepeated.size; count > 0; count -= 1) observer.crmNotice(provider.id, 'repeated');
  return { notices: notices.filter((one) => !isRepeated.has(one)).map(({ notice }) => notice), keys };
}

type Place = { companyId: CompanyId; provider: Provider<unknown>; site: Site<unknown> | null };

/**
 * In their order. False: too many records wait to be read, and not all of these are kept.
 * @param place `site` null: the company is not connected there
 */
async function take(services: Needs, place: Place, notices: readonly Inbound[]): Promise<boolean> {
  const { companyId, provider } = place;
  const toRead = new Map<string, RecordRef>();
  const keyOf = ({ object, id }: RecordRef) => JSON.stringify([object, id]);
  const tell = (outcome: CrmNoticeOutcome) => services.observer.crmNotice(provider.id, outcome);
  let entries: ScreenPopEntry[] = [];
  const keep = async () => {
    if (entries.length > 0) await services.screenPops.upsertMany(companyId, entries);
    services.observer.push(entries.length);
    entries = [];
  };
  for (const notice of notices) {
    switch (notice.kind) {
      case 'record': {
        const found = await entriesOf(services, companyId, provider, place.site, notice.record);
        entries.push(...found);
        tell(found.length === 0 ? 'without_number' : 'kept');
        break;
      }
      case 'reference':
        if (!storable.test(notice.reference.object + notice.reference.id)) tell('unreadable');
        else if (toRead.has(keyOf(notice.reference))) tell('repeated');
        else toRead.set(keyOf(notice.reference), notice.reference);
        break;
      case 'deleted':
        await keep();
        toRead.delete(keyOf(notice.reference));
        await services.crmNotices.withdraw(companyId, provider.id, notice.reference);
        // Only now: a record that is being read and not waited for any more is forgotten by its reader.
        await services.screenPops.forgetRecord(companyId, { externalSystem: provider.id, ...notice.reference });
        tell('deleted');
        break;
      default:
        tell(notice.kind);
    }
  }
  await keep();
  return haveRead(services, place, [...toRead.values()]);
}

/** What tells a record from others, as a database keeps it. */
const storable = /^[^\0\p{Cs}]{1,500}$/su;
const outcomes = { added: 'queued', waiting: 'repeated', full: 'full' } as const;

/** Written down before the CRM is answered. False: too many wait. */
async function haveRead(
  { crmNotices, crmRecordReader, observer }: Needs,
  { companyId, provider, site }: Place,
  references: readonly RecordRef[],
): Promise<boolean> {
  if (references.length === 0) return true;
  const taken = site === null ? null : await crmNotices.add(companyId, provider.id, references);
  for (const one of taken ?? references.map(() => null))
    observer.crmNotice(provider.id, one === null ? 'not_connected' : outcomes[one]);
  crmRecordReader.wake();
  return taken?.includes('full') !== true;
}

/** The CRM is to send them again. One line in a minute, however often it does. */
async function tooManyWait(
  { counters, observer }: Needs,
  companyId: CompanyId,
  provider: Provider<unknown>,
): Promise<Refused> {
  const { points } = await counters.add(`crm notices refused ${companyId}`, 1, 60);
  if (points === 1) observer.crmNoticesRefused({ company_id: companyId, provider: provider.id });
  return refuse('rate_limited', 'Too many records of this company wait to be read. Send this again later.', {
    retryAfterSeconds: retryFullSeconds,
  });
}

function tooMany(limit: number, endsInMs: number): Refused {
  return refuse('rate_limited', 'Too many requests for this address. Send them again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)),
    limit,
  });
}
