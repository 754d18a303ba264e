import { Radio, Stack } from '@mantine/core';
import { deskPhoneSchemes } from '../../../../../src/contract/vocabulary.ts';

type Scheme = (typeof deskPhoneSchemes)[number];

const words: Record<Scheme, string> = {
  tel: 'tel:+15551230001, which most telephones and their programs follow',
  sip: 'sip:+15551230001, for SIP telephones that do not know tel:',
};

type Props = { value: Scheme; onChange: (scheme: Scheme) => void };

/** The link that makes the agents' own telephones dial. */
export function DeskPhoneFields({ value, onChange }: Props) {
  return (
    <Radio.Group
      label="Link to open"
      value={value}
      onChange={(id) => onChange(deskPhoneSchemes.find((scheme) => scheme === id) ?? value)}
    >
      <Stack gap="xs" mt={4}>
        {deskPhoneSchemes.map((scheme) => (
          <Radio key={scheme} value={scheme} label={words[scheme]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
