import { Radio, Stack } from '@mantine/core';
import { telephonyModes, type TelephonyMode } from '../../../../../src/contract/vocabulary.ts';

const words: Record<TelephonyMode, { label: string; description: string }> = {
  sip: {
    label: 'SIP in the browser',
    description: 'The softphone page is the telephone: it reaches your PBX or SBC by SIP over WebSocket, and the agent speaks into the headset of this computer.',
  },
  desk_phone: {
    label: 'Desk phone',
    description: 'The page opens a link that the agent’s own telephone follows. The agent says when the call was answered and when it ended.',
  },
  none: {
    label: 'Not set up',
    description: 'Agents cannot telephone yet. On a laptop without a PBX the demo carrier answers instead.',
  },
};

type Props = { value: TelephonyMode; error: string | null; onChange: (mode: TelephonyMode) => void };

/** How the company's agents telephone, with what each way means. */
export function ModeChoice({ value, error, onChange }: Props) {
  return (
    <Radio.Group
      label="Way of telephoning"
      value={value}
      onChange={(id) => onChange(telephonyModes.find((mode) => mode === id) ?? value)}
      error={error}
    >
      <Stack gap="xs" mt={4}>
        {telephonyModes.map((mode) => (
          <Radio key={mode} value={mode} label={words[mode].label} description={words[mode].description} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
