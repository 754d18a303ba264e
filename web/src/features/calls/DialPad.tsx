import { ActionIcon, Button, CloseButton, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconDialpad, IconPhone } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlatScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { failureText } from './phoneWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { Keys } from './Keys.tsx';
import { dialBlocker, lasts } from './callWords.ts';

type Props = { number: string; onNumber: (number: string) => void };

/** Dials by hand; while a number is typed or pasted, it says whose it is. */
export function DialPad({ number, onNumber }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const lookup = useLookup(number, view.settings?.default_country != null);
  const hintId = useId();
  if (lasts(view.call) || view.agent?.state === 'reserved') return null;
  const blocker = dialBlocker(t, view);

  function change(next: string): void {
    setProblem(null);
    onNumber(next);
  }

  async function dial(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (blocker !== null || isBusy || number.trim() === '') return;
    setBusy(true);
    setProblem(null);
    try {
      await workplace.dial(number.trim());
      onNumber('');
    } catch (error) {
      setProblem(failureText(t, error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.dial.label')}>
      <form onSubmit={(event) => void dial(event)}>
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
          <Button type="submit" loading={isBusy} disabled={blocker !== null || number.trim() === ''} leftSection={<IconPhone size={16} aria-hidden />}>
            {t('softphone.dial.label')}
          </Button>
        </Group>
        <Text id={hintId} size="xs" mt={4} aria-live="polite" data-testid="lookup" lineClamp={2}>
          {number === '' ? t('softphone.dial.hint') : (blocker ?? lookupText(t, lookup))}
        </Text>
        {problem !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
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
  | { kind: 'failed'; problem: ApiProblem };

/** Fewer digits are nobody's number. */
const leastDigits = 4;
/** A pause of this length is the end of a burst of typing. */
const pauseMs = 250;

/**
 * Asks the gateway whose number it is, once the agent pauses; what was asked for before is given up.
 * @param takesNational whether the company has a country whose numbers may be written without its code
 */
function useLookup(number: string, takesNational: boolean): Lookup {
  const [last, setLast] = useState<{ number: string; lookup: Lookup } | null>(null);
  const isShort = number.replace(/\D/g, '').length < leastDigits;
  const isNational = !takesNational && !/^\s*(?:\+|00)/.test(number);
  const isAsked = !isShort && !isNational;
  useEffect(() => {
    if (!isAsked) return;
    const giveUp = new AbortController();
    const timer = setTimeout(() => {
      void ask(number.trim(), giveUp.signal).then((lookup) => {
        if (!giveUp.signal.aborted) setLast({ number, lookup });
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [number, isAsked]);
  if (isShort) return { kind: 'idle' };
  if (isNational) return { kind: 'national' };
  return last?.number === number ? last.lookup : { kind: 'asking' };
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

async function ask(phone: string, signal: AbortSignal): Promise<Lookup> {
  try {
    // Flat: not to be known is no failure, and none for the browser's console.
    const customer = await api.get<FlatScreenPop>('/api/integrations/lookup', { phone, format: 'flat' }, signal);
    return customer.found === 'true' ? { kind: 'found', customer } : { kind: 'unknown' };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return { kind: 'failed', problem: error };
  }
}
