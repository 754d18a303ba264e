import { usePhoneText } from './phoneText.ts';

/**
 * A phone number as people read it, from left to right in every text; pointing at it shows it as it is dialed.
 * @param number E.164, or what stands in place of it
 */
export function PhoneNumber({ number }: { number: string }) {
  const text = usePhoneText()(number);
  // Numbers stay in one line. What a stranger has sent in place of one may be too long for that.
  return (
    <bdi dir="ltr" title={number} style={/^\+[1-9]\d{1,14}$/.test(number) ? { whiteSpace: 'nowrap' } : undefined}>
      {text}
    </bdi>
  );
}
