import { ActionIcon, Button, CloseButton, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconDialpad, IconPhone } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  Suspense,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { FlatScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { Boundary } from '../../shared/Boundary.tsx';
import { withoutMarks } from '../../shared/phoneNumbers/direction.ts';
import { PhoneCountry } from '../../shared/phoneNumbers/lazyCountry.tsx';
import { isWords, pastedNumber } from '../../shared/phoneNumbers/pastedNumber.ts';
import { type Listed, type SuggestionKeys, Suggestions } from '../dialing/Suggestions.tsx';
import type { DialOptions } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { Keys } from './lazyKeys.ts';
import { dialBlocker, failureText, lasts } from './callWords.ts';
import { canCallAnyway } from './mayOverride.ts';
import { OutgoingNumber } from './OutgoingNumber.tsx';

type Props = { number: string; onNumber: (number: string) => void };

const nothingListed: Listed = { list: undefined, active: undefined };

/**
 * Dials by hand: a number in any spelling, or somebody who is found by name;
 * while a number is typed or pasted, it says whose it is.
 */
export function DialPad({ number, onNumber }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  // It may have been taken from the list meanwhile.
  const isOffered = view.settings?.outgoing_numbers?.some(({ phone_number: one }) => one === chosen) === true;
  const callerId = isOffered ? chosen : null;
  const dialing = useAction(async ({ to, ...options }: DialOptions & { to: string }) => {
    await workplace.dial(to, callerId === null ? options : { ...options, callerId });
    onNumber('');
  });
  const own = view.settings?.default_country ?? null;
  const lookup = useLookup(number, own !== null);
  const keys = useRef<SuggestionKeys>(null);
  const [listed, setListed] = useState(nothingListed);
  const hearListed = useCallback(
    (next: Listed) =>
      setListed((before) => (before.list === next.list && before.active === next.active ? before : next)),
    [],
  );
  const hintId = useId();
  if (lasts(view.call) || view.agent?.state === 'reserved') return null;
  const blocker = dialBlocker(t, view);

  function change(next: string): void {
    dialing.reset();
    onNumber(withoutMarks(next));
  }

  function dial(to: string): void {
    if (blocker === null && to !== '') dialing.run({ to });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const typed = number.trim();
    // Somebody is meant, and nobody is chosen yet.
    if (isWords(typed) && keys.current?.takeFirst() === true) return;
    dial((/\p{L}/u.test(typed) ? pastedNumber(typed) : null) ?? typed);
  }

  function press(event: KeyboardEvent): void {
    if (keys.current?.press(event) === true) event.preventDefault();
  }

  /** Of a text with a number in it the number alone. */
  function paste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text');
    const found = pastedNumber(text);
    if (found === null || found === text) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement;
    change(number.slice(0, selectionStart ?? 0) + found + number.slice(selectionEnd ?? number.length));
  }

  function choose(phone: string, dials: boolean): void {
    change(phone);
    if (dials) dial(phone);
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.dial.label')}>
      <form onSubmit={submit} style={{ position: 'relative' }}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            // With a list of its own (WAI-ARIA), as no element of HTML has.
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="combobox"
            aria-label={t('softphone.dial.number')}
            aria-describedby={hintId}
            aria-autocomplete="list"
            aria-expanded={listed.list !== undefined}
            aria-controls={listed.list}
            aria-activedescendant={listed.active}
            placeholder={t('softphone.dial.number')}
            autoComplete="off"
            maxLength={64}
            value={number}
            onChange={(event) => change(event.currentTarget.value)}
            onKeyDown={press}
            onPaste={paste}
            onBlur={() => keys.current?.close()}
            rightSectionWidth={58}
            rightSection={
              number === '' ? null : (
                <Group gap={2} wrap="nowrap" justify="flex-end" w="100%" pr={4}>
                  <PhoneCountry number={number} own={own} />
                  <CloseButton size="sm" aria-label={t('dialing.pad.clear')} onClick={() => change('')} />
                </Group>
              )
            }
          />
          <ActionIcon
            size="lg"
            variant={showsKeys ? 'filled' : 'default'}
            aria-label={t('dialing.pad.keys')}
            aria-expanded={showsKeys}
            onClick={() => setShowsKeys(!showsKeys)}
          >
            <IconDialpad size={16} />
          </ActionIcon>
          <Button
            type="submit"
            loading={dialing.isPending}
            disabled={blocker !== null || number.trim() === ''}
            leftSection={<IconPhone size={16} aria-hidden />}
          >
            {t('softphone.dial.label')}
          </Button>
        </Group>
        <Text id={hintId} size="xs" mt={4} aria-live="polite" data-testid="lookup" lineClamp={2}>
          {number === '' || isWords(number) ? t('dialing.pad.hint') : (blocker ?? lookupText(t, lookup))}
        </Text>
        <OutgoingNumber value={callerId} onChange={setChosen} />
        {dialing.error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(t, dialing.error)}
          </Text>
        )}
        {canCallAnyway(dialing.error) && dialing.input !== undefined && (
          <Button
            size="compact-xs"
            color="red"
            mt={4}
            onClick={() => dialing.run({ to: dialing.input?.to ?? '', overrideDoNotCall: true })}
          >
            {t('shared.callAnyway')}
          </Button>
        )}
        {number !== '' && <Suggestions ref={keys} typed={number} own={own} onChoose={choose} onListed={hearListed} />}
      </form>
      {showsKeys && (
        <Boundary name={t('dialing.pad.keys')}>
          <Suspense fallback={null}>
            <Keys label={t('dialing.pad.keys')} onKey={(key) => change(number + key)} />
          </Suspense>
        </Boundary>
      )}
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
      return t('dialing.pad.idle');
    case 'national':
      return t('dialing.pad.national');
    case 'asking':
      return t('dialing.pad.asking');
    case 'unknown':
      return t('dialing.pad.unknown');
    case 'failed':
      return messageOf(t, lookup.problem);
    case 'found':
      return [lookup.customer.name || t('dialing.pad.nameless'), lookup.customer.vip_tier, lookup.customer.email]
        .filter((part) => part !== '')
        .join(' · ');
  }
}
