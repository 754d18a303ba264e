import type { TelephonyView, UpdateTelephonyRequest } from '../../../../src/contract/telephony.ts';
import type { deskPhoneSchemes, TelephonyMode } from '../../../../src/contract/vocabulary.ts';

/** One STUN or TURN server as the form has it. `urls`: separated by spaces. `credential` is written, never read. */
export type IceFields = { urls: string; username: string; credential: string; isCredentialSet: boolean };

/** The settings as the form has them; what is empty is not set. */
export type TelephonyFields = {
  mode: TelephonyMode;
  sip_wss_url: string;
  sip_domain: string;
  ice_servers: IceFields[];
  no_answer_seconds: number | null;
  desk_phone_scheme: (typeof deskPhoneSchemes)[number];
};

/** What the form begins with. */
export function fieldsOf(view: TelephonyView): TelephonyFields {
  return {
    mode: view.mode,
    sip_wss_url: view.sip_wss_url ?? '',
    sip_domain: view.sip_domain ?? '',
    ice_servers: view.ice_servers.map(({ urls, username, credential_set: isCredentialSet }) => ({
      urls: urls.join(' '),
      username: username ?? '',
      credential: '',
      isCredentialSet,
    })),
    no_answer_seconds: view.no_answer_seconds,
    desk_phone_scheme: view.desk_phone_scheme,
  };
}

/** The request that makes these changes. */
export function toUpdate(changes: Partial<TelephonyFields>): UpdateTelephonyRequest {
  const { sip_wss_url: url, sip_domain: domain, ice_servers: servers, ...plain } = changes;
  return {
    ...plain,
    ...(url === undefined ? {} : { sip_wss_url: url.trim() === '' ? null : url.trim() }),
    ...(domain === undefined ? {} : { sip_domain: domain.trim() === '' ? null : domain.trim() }),
    ...(servers === undefined ? {} : { ice_servers: servers.map(toServer) }),
  };
}

function toServer({ urls, username, credential }: IceFields) {
  return {
    urls: urls.split(/[\s,]+/).filter((url) => url !== ''),
    ...(username.trim() === '' ? {} : { username: username.trim() }),
    ...(credential === '' ? {} : { credential }),
  };
}
