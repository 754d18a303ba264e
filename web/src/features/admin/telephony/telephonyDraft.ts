import type { TelephonyView, UpdateTelephonyRequest } from '../../../../../src/contract/telephony.ts';
import type { deskPhoneSchemes, TelephonyMode, TransferWay } from '../../../../../src/contract/vocabulary.ts';

/** How a TURN server lets softphones in: each by a user of its own, made with a secret; or all by the same one. */
export const iceLogIns = ['secret', 'user'] as const;
export type IceLogIn = (typeof iceLogIns)[number];

/**
 * One STUN or TURN server as the form has it. `urls`: separated by spaces. `credential` and `secret` are written, never
 * read; `storedFor`: what the stored one of both belongs to, null: none is stored.
 */
export type IceFields = {
  urls: string;
  logIn: IceLogIn;
  username: string;
  credential: string;
  secret: string;
  storedFor: { urls: string; logIn: IceLogIn; username: string } | null;
};

/** What becomes of a stored credential or secret when the server is saved without a new one. */
export type StoredCredential = 'none' | 'kept' | 'dropped';

/** The settings as the form has them; what is empty is not set. */
export type TelephonyFields = {
  mode: TelephonyMode;
  sip_wss_url: string;
  sip_domain: string;
  ice_servers: IceFields[];
  no_answer_seconds: number | null;
  desk_phone_scheme: (typeof deskPhoneSchemes)[number];
  call_id_header: string;
  dialed_number_header: string;
  queue_header: string;
  caller_id_header: string;
  echo_number: string;
  transfer_by: TransferWay;
  transfer_code: string;
};

/** Which fields go with each way of telephoning. */
export const fieldsOfMode: Readonly<Record<TelephonyMode, readonly (keyof TelephonyFields)[]>> = {
  sip: [
    'mode',
    'sip_wss_url',
    'sip_domain',
    'ice_servers',
    'no_answer_seconds',
    'call_id_header',
    'dialed_number_header',
    'queue_header',
    'caller_id_header',
    'echo_number',
    'transfer_by',
    'transfer_code',
  ],
  desk_phone: ['mode', 'desk_phone_scheme', 'no_answer_seconds'],
  none: ['mode'],
};

/** What the form begins with. */
export function fieldsOf(view: TelephonyView): TelephonyFields {
  return {
    mode: view.mode,
    sip_wss_url: view.sip_wss_url ?? '',
    sip_domain: view.sip_domain ?? '',
    ice_servers: view.ice_servers.map(({ urls, username, credential_set: hasCredential, secret_set: hasSecret }) => {
      const logIn: IceLogIn = username === null ? 'secret' : 'user';
      const known = { urls: urls.join(' '), logIn, username: username ?? '' };
      return { ...known, credential: '', secret: '', storedFor: hasCredential || hasSecret ? known : null };
    }),
    no_answer_seconds: view.no_answer_seconds,
    desk_phone_scheme: view.desk_phone_scheme,
    call_id_header: view.call_id_header,
    dialed_number_header: view.dialed_number_header ?? '',
    queue_header: view.queue_header ?? '',
    caller_id_header: view.caller_id_header,
    echo_number: view.echo_number ?? '',
    transfer_by: view.transfer_by,
    transfer_code: view.transfer_code ?? '',
  };
}

/** The request that makes these changes. */
export function toUpdate(changes: Partial<TelephonyFields>): UpdateTelephonyRequest {
  const { sip_wss_url: url, sip_domain: domain, ice_servers: servers, ...pbx } = changes;
  const {
    call_id_header: header,
    dialed_number_header: dialed,
    queue_header: queue,
    caller_id_header: shown,
    echo_number: echo,
    transfer_code: code,
    ...plain
  } = pbx;
  return {
    ...plain,
    ...(url === undefined ? {} : { sip_wss_url: orNone(url) }),
    ...(domain === undefined ? {} : { sip_domain: orNone(domain) }),
    ...(dialed === undefined ? {} : { dialed_number_header: orNone(dialed) }),
    ...(queue === undefined ? {} : { queue_header: orNone(queue) }),
    ...(shown === undefined ? {} : { caller_id_header: orNone(shown) }),
    ...(echo === undefined ? {} : { echo_number: orNone(echo) }),
    ...(code === undefined ? {} : { transfer_code: orNone(code) }),
    ...(header === undefined ? {} : { call_id_header: header.trim() }),
    ...(servers === undefined ? {} : { ice_servers: servers.map(toServer) }),
  };
}

const orNone = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The gateway keeps what is stored for the same URLs and user alone, lest another server be given it. */
export function storedCredential({ urls, logIn, username, storedFor }: IceFields): StoredCredential {
  if (storedFor === null || storedFor.logIn !== logIn) return 'none';
  const user = logIn === 'user' ? username.trim() : '';
  const isSame = urlsOf(urls).join(' ') === storedFor.urls && user === storedFor.username;
  return isSame ? 'kept' : 'dropped';
}

const urlsOf = (text: string): string[] => text.split(/[\s,]+/).filter((url) => url !== '');

function toServer({ urls, logIn, username, credential, secret }: IceFields) {
  if (logIn === 'secret') return { urls: urlsOf(urls), ...(secret === '' ? {} : { secret }) };
  return {
    urls: urlsOf(urls),
    ...(username.trim() === '' ? {} : { username: username.trim() }),
    ...(credential === '' ? {} : { credential }),
  };
}
