import type { IceServer, TelephonyView } from '../../contract/telephony.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { usualDeskPhoneScheme, usualNoAnswerSeconds, type Telephony } from '../../domain/telephony.ts';
import type { Services } from '../services.ts';
import { openIceServers } from './iceServers.ts';

type Needs = Pick<Services, 'cipher' | 'demoCarrier' | 'observer'>;

/** How the company telephones, without any secret. */
export async function readTelephony(
  services: Needs & Pick<Services, 'telephony'>,
  companyId: CompanyId,
): Promise<TelephonyView> {
  return telephonyView(services, companyId, await services.telephony.find(companyId));
}

/** The settings as admins see them. */
export function telephonyView(services: Needs, companyId: CompanyId, telephony: Telephony): TelephonyView {
  return {
    mode: telephony.mode,
    sip_wss_url: telephony.sipWssUrl,
    sip_domain: telephony.sipDomain,
    ice_servers: storedIceServers(services, companyId, telephony).map(({ urls, username, credential }) => ({
      urls,
      username: username ?? null,
      credential_set: credential !== undefined,
    })),
    no_answer_seconds: telephony.noAnswerSeconds ?? usualNoAnswerSeconds,
    desk_phone_scheme: telephony.deskPhoneScheme ?? usualDeskPhoneScheme,
    demo_carrier: telephony.mode === 'none' && services.demoCarrier !== null,
    updated_at: telephony.updatedAt?.toISOString() ?? null,
  };
}

/** The stored list; one that does not open is reported, and is as good as none: the admin must enter it again. */
export function storedIceServers(
  { cipher, observer }: Pick<Services, 'cipher' | 'observer'>,
  companyId: CompanyId,
  { iceServersEncrypted }: Telephony,
): IceServer[] {
  try {
    return openIceServers(cipher, companyId, iceServersEncrypted);
  } catch (error) {
    observer.problem('the stored ICE servers do not open', error, { company_id: companyId });
    return [];
  }
}
