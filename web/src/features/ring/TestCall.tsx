import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestStep } from '../../lib/sip/phone.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Calls the echo of the PBX: the whole way that a call takes, where its number is known. Ends with what shows it. */
export function TestCall() {
  const { t } = useTranslation();
  const format = useFormat();
  const { workplace, view } = useWorkplace();
  const [test, setTest] = useState<TestStep | null>(null);
  const end = useRef<() => void>(() => undefined);
  useEffect(() => () => end.current(), []);
  const telephony = view.settings?.telephony;
  if (telephony?.mode !== 'sip' || telephony.echo_number === undefined) return null;
  const isOn = test !== null && test.step !== 'over';
  const begin = () => (end.current = workplace.testCall(setTest));

  function words(step: TestStep): string {
    if (step.step === 'calling') return t('audio.test.calling');
    if (step.step === 'over' && step.end !== null) {
      const { sipCode } = step.end;
      return sipCode === undefined ? t('audio.test.failed') : t('audio.test.refused', { code: String(sipCode) });
    }
    const mos = step.quality === null ? null : format.number(Math.round(step.quality.mos * 10) / 10);
    const measured = mos === null ? '' : t('audio.test.quality', { mos });
    return step.step === 'over' ? measured : `${t('audio.test.talking')} ${measured}`.trim();
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant={isOn ? 'filled' : 'default'}
        aria-pressed={isOn}
        disabled={!isOn && (view.isEngaged || view.phone.state !== 'ready')}
        onClick={() => (isOn ? end.current() : begin())}
      >
        {t('audio.test.call')}
      </Button>
      <Text component="output" display="block" size="xs" c="dimmed" data-testid="test-call">
        {test === null ? t('audio.test.hint') : words(test)}
      </Text>
    </>
  );
}
