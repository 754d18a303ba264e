import { Anchor, Text, TextInput } from '@mantine/core';
import { pageOf } from '../../../lib/sip/lineDiagnosis.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { IceServerList } from './IceServerList.tsx';
import type { TelephonyFields } from './telephonyDraft.ts';

type Props = { values: TelephonyFields; set: (change: Partial<TelephonyFields>) => void; error: unknown };

/** Where the company's PBX is, and how voice finds its way to it. */
export function SipServerFields({ values, set, error }: Props) {
  return (
    <>
      <TextInput
        label="WebSocket address of the PBX"
        description="SIP over WebSocket (RFC 7118); it has to begin with wss://"
        placeholder="wss://pbx.example.com/ws"
        value={values.sip_wss_url}
        onChange={(event) => set({ sip_wss_url: event.currentTarget.value })}
        error={fieldError(error, 'sip_wss_url')}
        spellCheck={false}
        required
      />
      {isSecureAddress(values.sip_wss_url) && (
        <Text size="sm">
          To see whether browsers trust its certificate,{' '}
          <Anchor href={pageOf(values.sip_wss_url)} target="_blank" rel="noreferrer" size="sm" underline="always">
            open {new URL(values.sip_wss_url).host}
          </Anchor>
          : a warning there means that no agent’s telephone can connect, and an error of its server that the certificate is fine.
        </Text>
      )}
      <TextInput
        label="SIP domain"
        description="What stands behind the @ of the agents’ SIP addresses; empty is the host of the address above"
        placeholder="pbx.example.com"
        value={values.sip_domain}
        onChange={(event) => set({ sip_domain: event.currentTarget.value })}
        error={fieldError(error, 'sip_domain')}
        spellCheck={false}
      />
      <IceServerList servers={values.ice_servers} error={error} onChange={(servers) => set({ ice_servers: servers })} />
    </>
  );
}

function isSecureAddress(url: string): boolean {
  return url.startsWith('wss:') && URL.canParse(url);
}
