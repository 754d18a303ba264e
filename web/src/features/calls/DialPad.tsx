import { ActionIcon, Button, CloseButton, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconDialpad, IconPhone } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlatScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { failureText } from './phoneWords.ts';
import { withoutMarks } from '../../shared/phoneNumbers/direction.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { Keys } from './Keys.tsx';
import { dialBlocker, lasts } from './callWords.ts';

type Props = { number: string; onNumber: (number: string) => void };

/** Dials by hand; while a number is typed or pasted, it says whose it is. */
export function DialPad({ number, onNumber }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const dialing = useAction(async (to: string) => {
    await workplace.dial(to);
    onNumber('');
  });
  const lookup = useLookup(number, view.settings?.default_country != null);
  const hintId = useId();
  if (lasts(view.call) || view.agent?.state === 'reserved') return null;
  const blocker = dialBlocker(t, view);

  function change(next: string): void {
    dialing.reset();
    onNumber(withoutMarks(next));
  }

  function dial(event: FormEvent): void {
    event.preventDefault();
    if (blocker === null && number.trim() !== '') dialing.run(number.trim());
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.dial.label')}>
      <form onSubmit={dial}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            type="tel"
            aria-label={t('softphone.dial.number')}
            aria-describedby={hintId}
            placeholder={t('softphone.dial.number')}
            autoComplete="off"
            maxLength={64}
            value={number}
            onChange={(event) => change(event.currentTarget.value)}
            rightSection={number === '' ? null : <CloseButton size="sm" aria-label={t('softphone.dial.clear')} onClick={() => change('')} />}
          />
          <ActionIcon
            size="lg"
            variant={showsKeys ? 'filled' : 'default'}
            aria-label={t('softphone.dial.keys')}
            aria-expanded={showsKeys}
            onClick={() => setShowsKeys(!showsKeys)}
          >
            <IconDialpad size={16} />
          </ActionIcon>
          <Button type="submit" loading={dialing.isPending} disabled={blocker !== null || number.trim() === ''} leftSection={<IconPhone size={16} aria-hidden />}>
            {t('softphone.dial.label')}
          </Button>
        </Group>
        <Text id={hintId} size="xs" mt={4} aria-live="polite" data-testid="lookup" lineClamp={2}>
          {number === '' ? t('softphone.dial.hint') : (blocker ?? lookupText(t, lookup))}
        </Text>
        {dialing.error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(t, dialing.error)}
          </Text>
        )}
      </form>
      {showsKeys && <Keys label={t('softphone.dial.keys')} onKey={(key) => change(number + key)} />}
    </Paper>
  );
}

type Lookup =
  | { kind: 'idle' | 'national' | 'unknown' | 'asking' }
  | { kind: 'found'; customer: FlatScreenPop }
  | { kind: 'failed'; problem: unknown };

/** Fewer digits are nobody's number. */
const leastDigits = 4;
/** A pause of this length is the end of a burst of typing. */
const pauseMs = 250;

/**
 * Asks the gateway whose number it is, once the agent pauses.
 * @param takesNational whether the company has a country whose numbers may be written without its code
 */
function useLookup(number: string, takesNational: boolean): Lookup {
  const phone = number.trim();
  const isShort = number.replace(/\D/g, '').length < leastDigits;
  const isNational = !takesNational && !/^(?:\+|00)/.test(phone);
  const { data: customer, error } = useRead({
    key: isShort || isNational ? null : phone,
    // Flat: not to be known is no failure, and none for the browser's console.
    read: (signal) => api.get<FlatScreenPop>('/api/integrations/lookup', { phone, format: 'flat' }, signal),
    pauseMs,
  });
  if (isShort) return { kind: 'idle' };
  if (isNational) return { kind: 'national' };
  if (error !== null) return { kind: 'failed', problem: error };
  if (customer === undefined) return { kind: 'asking' };
  return customer.found === 'true' ? { kind: 'found', customer } : { kind: 'unknown' };
}

/** What to show of it. */
function lookupText(t: Translate, lookup: Lookup): string {
  switch (lookup.kind) {
    case 'idle':
      return t('softphone.dial.idle');
    case 'national':
      return t('softphone.dial.national');
    case 'asking':
      return t('softphone.dial.asking');
    case 'unknown':
      return t('softphone.dial.unknown');
    case 'failed':
      return messageOf(t, lookup.problem);
    case 'found':
      return [lookup.customer.name || t('softphone.dial.nameless'), lookup.customer.vip_tier, lookup.customer.email]
        .filter((part) => part !== '')
        .join(' · ');
  }
}
