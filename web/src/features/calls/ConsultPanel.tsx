import { Button, Group, Paper, Text } from '@mantine/core';
import { IconArrowsExchange, IconArrowUpRight, IconPhoneOff, IconUsers } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Consult } from '../../lib/sip/phoneCall.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { consult: Consult };

/**
 * Whom the agent talks to before the call is handed on: who hears them now, and what can come of it. Takes the focus.
 */
export function ConsultPanel({ consult: { name, to, step, with: whom } }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const phoneText = usePhoneText();
  const who = name ?? otherEndText(t, phoneText, { phone: to });
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const isWithCustomer = whom === 'customer';
  const talking = { colleague: 'talking', both: 'together', customer: 'waits' } as const;
  const stage = step === 'talking' ? talking[whom] : step;
  return (
    <Paper component="section" withBorder p="xs" mt="xs" aria-label={t('transfer.consult.label')}>
      <Text component="output" display="block" size="sm" fw={600}>
        {t(`transfer.consult.${stage}`, { who })}
      </Text>
      {whom !== 'both' && (
        <Text size="xs">{t(isWithCustomer ? 'transfer.consult.withCustomer' : 'transfer.consult.customerHeld')}</Text>
      )}
      <Group mt="xs" gap="xs">
        <Button
          size="xs"
          leftSection={<IconArrowUpRight size={14} aria-hidden />}
          disabled={view.isTransferring || step === 'holding'}
          onClick={() => workplace.completeConsult()}
        >
          {t('transfer.consult.complete')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowsExchange size={14} aria-hidden />}
          disabled={view.isTransferring || step === 'holding'}
          onClick={() => workplace.setHeld(whom !== 'colleague')}
        >
          {whom === 'both' ? t('transfer.consult.alone', { who }) : t('transfer.consult.swap')}
        </Button>
        {step === 'talking' && whom !== 'both' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUsers size={14} aria-hidden />}
            disabled={view.isTransferring}
            onClick={() => workplace.confer()}
          >
            {t('transfer.consult.confer')}
          </Button>
        )}
        <Button
          ref={back}
          size="xs"
          variant="default"
          leftSection={<IconPhoneOff size={14} aria-hidden />}
          disabled={view.isTransferring}
          onClick={() => workplace.endConsult()}
        >
          {t('transfer.consult.back')}
        </Button>
      </Group>
    </Paper>
  );
}
