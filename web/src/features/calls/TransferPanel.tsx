import { Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import type { CallKey } from '../../lib/sip/phoneCall.ts';
import { withoutMarks } from '../../shared/phoneNumbers/direction.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useColleagues } from '../colleagues/useColleagues.ts';
import { useSpeedDials } from '../dialing/speedDialStore.ts';
import { fits } from '../dialing/suggestions.ts';
import { useFoundContacts } from '../dialing/useFoundContacts.ts';
import type { TransferTarget } from '../workplace/colleagueTransfer.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { Colleagues } from './Colleagues.tsx';
import { ConsultPanel } from './ConsultPanel.tsx';
import { failureText } from './callWords.ts';
import { type Reachable, TransferNumbers } from './TransferNumbers.tsx';
import { isTarget, readTarget } from './transferTarget.ts';
import { WhoeverIsReady } from './WhoeverIsReady.tsx';

const listed = 6;

/** Handing the call on: whom to, who is being reserved for it, or who is being asked first. */
export function TransferPanel({ onClose }: { onClose: () => void }) {
  const { callKey, consult } = useWorkplace().view;
  if (consult !== null) return <ConsultPanel consult={consult} />;
  return callKey === null ? null : <ChooseTarget callKey={callKey} onClose={onClose} />;
}

/** A number, as it was written; a telephone of the PBX; or whom the gateway is to reserve. */
type Chosen = { written: string } | { extension: string } | { reserve: TransferTarget };

type Props = {
  callKey: CallKey;
  /** Somebody rings, and is passed on: nobody is asked first or reserved. Else the call is handed on. */
  passesOn?: boolean;
  onClose: () => void;
};

/** To whom that call is to be handed on, and no other that takes its place. Takes the focus; Escape closes it. */
export function ChooseTarget({ callKey, passesOn = false, onClose }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [number, setNumber] = useState('');
  const [team, setTeam] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    field.current?.focus();
    return () => void (isShown.current = false);
  }, []);
  const handingOn = useAction(async ({ chosen, isAskedFirst }: { chosen: Chosen; isAskedFirst: boolean }) => {
    if ('reserve' in chosen) return workplace.transferTo(callKey, chosen.reserve, isAskedFirst);
    const to =
      'extension' in chosen
        ? chosen.extension
        : await readTarget(chosen.written, view.settings?.default_country != null);
    // Canceled, while the gateway was asked of the number.
    if (!isShown.current) return;
    if (isAskedFirst) return workplace.consult(callKey, to);
    if (passesOn) workplace.passOn(callKey, to);
    else workplace.transfer(callKey, to);
    onClose();
  });
  const isByTones = view.can.transfer === 'tones';
  // What the PBX calls by tones it lets talk to the agent first, or not.
  const asksFirst = !passesOn && !isByTones;
  const isBusy = handingOn.isPending || (view.isTransferring && !passesOn);
  const sought = number.trim();
  // One more than are listed: the agent is found, too.
  const { colleagues, error: unread } = useColleagues({ sought, team, limit: listed + 1 });
  const speedDials = useReachableDials(sought);
  const contacts = useReachableContacts(sought).filter(({ phone }) => speedDials.every((dial) => dial.phone !== phone));
  const isNobody = colleagues?.length === 0 && contacts.length + speedDials.length === 0;
  const isWrong = sought !== '' && !isTarget(number) && isNobody;
  const chooseNumber = (written: string, isAskedFirst: boolean) => handingOn.run({ chosen: { written }, isAskedFirst });

  function transfer(event: FormEvent): void {
    event.preventDefault();
    if (isTarget(number) && !isBusy) chooseNumber(number, false);
  }

  /** Who is Ready is reserved for a talk; anybody else can only be rung. */
  function choose({ extension, id, state }: ColleagueView, isAskedFirst: boolean): void {
    const chosen =
      state === 'ready' && !passesOn ? { reserve: { agentId: id } } : extension === null ? null : { extension };
    if (chosen !== null) handingOn.run({ chosen, isAskedFirst });
  }

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose();
  }

  return (
    <form aria-label={t(passesOn ? 'transfer.passOn.title' : 'transfer.title')} onSubmit={transfer}>
      <TextInput
        ref={field}
        mt="xs"
        label={t('transfer.to')}
        description={t(passesOn ? 'transfer.passOn.hint' : 'transfer.hint')}
        error={isWrong ? t('transfer.wrong') : null}
        autoComplete="off"
        maxLength={64}
        value={number}
        onChange={(event) => setNumber(withoutMarks(event.currentTarget.value))}
        onKeyDown={closeOnEscape}
      />
      <Group mt="xs" gap="xs">
        <Button
          type="submit"
          size="xs"
          loading={handingOn.isPending}
          disabled={!isTarget(number) || isBusy}
          onKeyDown={closeOnEscape}
        >
          {t(passesOn ? 'transfer.passOn.now' : 'transfer.now')}
        </Button>
        {asksFirst && (
          <Button
            size="xs"
            variant="default"
            disabled={!isTarget(number) || isBusy}
            onClick={() => chooseNumber(number, true)}
            onKeyDown={closeOnEscape}
          >
            {t('transfer.askFirst')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onClose} onKeyDown={closeOnEscape}>
          {t('transfer.cancel')}
        </Button>
      </Group>
      {handingOn.error !== null && (
        <Text role="alert" size="sm" c="red" mt="xs">
          {failureText(t, handingOn.error)}
        </Text>
      )}
      {view.reservedColleague !== null && !passesOn && (
        <Text component="output" display="block" size="sm" fw={600} mt="xs">
          {t('transfer.reserving')}
        </Text>
      )}
      {!passesOn && (
        <WhoeverIsReady
          team={team}
          isBusy={isBusy}
          asksFirst={asksFirst}
          onTeam={setTeam}
          onChoose={(reserve, isAskedFirst) => handingOn.run({ chosen: { reserve }, isAskedFirst })}
        />
      )}
      {unread !== null && (
        <Text role="alert" size="xs" mt="xs">
          {messageOf(t, unread)}
        </Text>
      )}
      {colleagues !== undefined && colleagues.length > 0 && (
        <Colleagues found={colleagues.slice(0, listed)} isBusy={isBusy} asksFirst={asksFirst} onChoose={choose} />
      )}
      {[
        { label: t('transfer.speedDials'), found: speedDials },
        { label: t('transfer.contacts'), found: contacts },
      ].map((list) => (
        <TransferNumbers key={list.label} {...list} isBusy={isBusy} asksFirst={asksFirst} onChoose={chooseNumber} />
      ))}
      <Text size="xs" mt={4}>
        {t(passesOn ? 'transfer.passOn.blind' : isByTones ? 'transfer.blindByTones' : 'transfer.blind')}
      </Text>
    </form>
  );
}

/** Whom the agent, or the company, keeps as speed dials; all of them while nothing is sought. */
function useReachableDials(sought: string): Reachable[] {
  const { own = [], shared = [] } = useSpeedDials().data ?? {};
  const fitting = [...own, ...shared].filter(
    ({ name, phone_number: phone }) => sought === '' || fits(sought, name, phone),
  );
  return fitting.slice(0, listed).map(({ name, phone_number: phone }, index) => ({
    key: `${String(index)} ${phone}`,
    name,
    phone,
    isUnwilling: false,
  }));
}

/** Contacts of the company, such as partners, with their numbers. */
function useReachableContacts(sought: string): Reachable[] {
  return useFoundContacts(sought)
    .flatMap(({ do_not_call: isUnwilling, id: key, name, organisation, phone_number: phone }) =>
      phone === null ? [] : [{ key, name: name ?? organisation?.name ?? phone, phone, isUnwilling }],
    )
    .slice(0, listed);
}
