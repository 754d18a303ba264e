import { Alert, Badge, Button, Text, UnstyledButton } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCandidate, contactObject } from '../../../../src/contract/callRules.ts';
import type { CrmCandidate, ScreenPop } from '../../../../src/contract/screenPops.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { failureText } from '../calls/callWords.ts';
import classes from './RecordPicker.module.css';

/**
 * Several records or contacts have the number: the agent says which one it is, and may say so again after a wrong
 * click. The focus stays with whoever chooses by keys; nobody else's is moved. @param onChoose null: they are shown,
 * and nothing is chosen
 */
export function RecordPicker({
  known,
  onChoose,
}: {
  known: ScreenPop;
  onChoose: ((candidate: CrmCandidate) => Promise<unknown>) | null;
}) {
  const { t } = useTranslation();
  const chosen = chosenCandidate(known);
  const [choosesAgain, setChoosesAgain] = useState(false);
  const titleId = useId();
  const list = useRef<HTMLUListElement>(null);
  const someoneElse = useRef<HTMLButtonElement>(null);
  const keepsFocus = useRef(false);
  const choose = useAction(async (candidate: CrmCandidate) => onChoose?.(candidate));
  const isOpen = chosen === null || choosesAgain;
  useEffect(() => {
    if (!keepsFocus.current) return;
    keepsFocus.current = false;
    (isOpen ? list.current?.querySelector('button') : someoneElse.current)?.focus();
  }, [isOpen]);
  if (known.candidates === undefined || known.candidates.length === 0) return null;

  function pick(candidate: CrmCandidate): void {
    if (onChoose === null) return;
    const close = () => setChoosesAgain(false);
    keepsFocus.current = list.current?.contains(document.activeElement) ?? false;
    if (candidate === chosen) return close();
    choose.run(candidate, { onSuccess: close, onError: () => (keepsFocus.current = false) });
  }

  if (!isOpen) {
    return (
      <Button
        ref={someoneElse}
        size="compact-xs"
        variant="default"
        onClick={() => {
          keepsFocus.current = true;
          setChoosesAgain(true);
        }}
      >
        {t('softphone.customer.someoneElse')}
      </Button>
    );
  }
  return (
    <section aria-labelledby={titleId} className={classes.picker} data-testid="record-picker">
      <Text size="sm" fw={600} id={titleId}>
        {t('softphone.customer.several', { count: known.candidates.length })}
      </Text>
      <ul ref={list} className={classes.list}>
        {known.candidates.map((candidate) => (
          <li key={`${candidate.object} ${candidate.id}`}>
            <UnstyledButton
              className={classes.candidate ?? ''}
              aria-pressed={candidate === chosen}
              aria-disabled={choose.isPending || onChoose === null}
              onClick={() => pick(candidate)}
            >
              <Candidate candidate={candidate} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {choose.error !== null && (
        <Alert color="red" variant="light" p="xs" role="alert">
          {failureText(t, choose.error)}
        </Alert>
      )}
    </section>
  );
}

/** What tells people apart who share a number. */
function Candidate({ candidate: { name, object, email, account_number, vip_tier } }: { candidate: CrmCandidate }) {
  const { t } = useTranslation();
  const account =
    account_number === null || account_number === ''
      ? null
      : t('softphone.customer.account', { number: account_number });
  const more = [objectText(object), account, email].filter((text) => text !== null && text !== '');
  return (
    <>
      <span className={classes.name}>
        {name === null || name.trim() === '' ? t('softphone.customer.noName') : name}
        {vip_tier !== null && vip_tier !== '' && (
          <Badge component="span" color="yellow" tt="none" radius="sm" size="sm" className={classes.tier ?? ''}>
            {vip_tier}
          </Badge>
        )}
      </span>
      <span className={classes.more}>{more.join(' · ')}</span>
    </>
  );
}

/**
 * The CRM's own word for a kind of record; numbers, as HubSpot has them, tell nobody anything,
 * nor does it that a contact is one.
 */
function objectText(object: string): string | null {
  return /^[\d-]+$/.test(object) || object === contactObject ? null : object.charAt(0).toUpperCase() + object.slice(1);
}
