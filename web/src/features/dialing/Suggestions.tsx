import { Text, VisuallyHidden } from '@mantine/core';
import { IconHistory, IconPhoneOff, IconStar, IconUser, IconUsers } from '@tabler/icons-react';
import {
  type ComponentType,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { PhoneCountry } from '../../shared/phoneNumbers/lazyCountry.tsx';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import type { Suggestion } from './suggestions.ts';
import classes from './Suggestions.module.css';
import { useSuggestions } from './useSuggestions.ts';

/** What the field is told of its list. `active`: the id of the option that is chosen by the arrow keys. */
export type Listed = { list: string | undefined; active: string | undefined };

/** What the field hands on to its list. */
export type SuggestionKeys = {
  /** @returns whether the list took the key */
  press: (event: KeyboardEvent) => boolean;
  /** Goes to the first; false: there is none. */
  takeFirst: () => boolean;
  close: () => void;
};

type Props = {
  ref: Ref<SuggestionKeys>;
  typed: string;
  own: string | null;
  /** @param dials it is to be dialed at once, and not only to stand in the field */
  onChoose: (phone: string, dials: boolean) => void;
  onListed: (listed: Listed) => void;
};

const icons: Record<Suggestion['kind'], ComponentType<{ size?: number; 'aria-label'?: string }>> = {
  speed: IconStar,
  contact: IconUser,
  recent: IconHistory,
  colleague: IconUsers,
};

/**
 * Whom the agent may mean, below the field that they type in: a list of a combobox (WAI-ARIA),
 * which the field's keys work.
 */
export function Suggestions({ ref, typed, own, onChoose, onListed }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const suggestions = useSuggestions(typed);
  /** For which text it was closed, or gone through. */
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<{ typed: string; phone: string | undefined } | null>(null);
  // A number that is written in full needs no list of itself.
  const isOpen =
    closedFor !== typed &&
    suggestions.length > 0 &&
    !(suggestions.length === 1 && suggestions[0]?.phone === typed.trim());
  // What is found later does not move it.
  const at = chosen?.typed === typed ? suggestions.findIndex(({ phone }) => phone === chosen.phone) : -1;
  const active = isOpen && at >= 0 ? `${id}${String(at)}` : undefined;
  useEffect(() => onListed({ list: isOpen ? id : undefined, active }), [isOpen, active, id, onListed]);
  useEffect(() => () => onListed({ list: undefined, active: undefined }), [onListed]);

  /** Chooses the one in that place. @returns that the key was of use */
  function goTo(index: number): true {
    setChosen({ typed, phone: suggestions[index]?.phone });
    return true;
  }

  function choose(suggestion: Suggestion | undefined, dials: boolean): void {
    if (suggestion === undefined) return;
    setClosedFor(suggestion.phone);
    onChoose(suggestion.phone, dials);
  }

  function press(event: KeyboardEvent): boolean {
    if (!isOpen || event.altKey) return false;
    const count = suggestions.length;
    switch (event.key) {
      case 'ArrowDown':
        return goTo((at + 1) % count);
      case 'ArrowUp':
        return goTo(at <= 0 ? count - 1 : at - 1);
      case 'Escape':
        setClosedFor(typed);
        return true;
      case 'Enter':
        if (at < 0) return false;
        choose(suggestions[at], event.ctrlKey || event.metaKey);
        return true;
      default:
        return false;
    }
  }

  function takeFirst(): boolean {
    if (suggestions.length === 0) return false;
    setClosedFor(null);
    return goTo(0);
  }

  useImperativeHandle(ref, () => ({ press, takeFirst, close: () => setClosedFor(typed) }));

  return (
    <>
      <VisuallyHidden component="output">
        {isOpen ? t('dialing.suggest.count', { count: suggestions.length }) : ''}
      </VisuallyHidden>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a combobox that names whom it lists
        <div role="listbox" id={id} aria-label={t('dialing.suggest.label')} className={classes.list}>
          {suggestions.map((suggestion, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field's keys work the list
            <div
              key={suggestion.phone}
              id={`${id}${String(index)}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              className={classes.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion, false)}
            >
              <Option suggestion={suggestion} own={own} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function Option({
  suggestion: { kind, name, phone, detail, isUnwilling },
  own,
}: {
  suggestion: Suggestion;
  own: string | null;
}) {
  const { t } = useTranslation();
  const Icon = icons[kind];
  return (
    <>
      <Icon size={14} aria-label={t(`dialing.suggest.${kind}`)} />
      <Text component="span" size="sm" truncate>
        {name !== null && name.trim() !== '' && <bdi className={classes.name}>{name}</bdi>}{' '}
        <PhoneNumber number={phone} /> <PhoneCountry number={phone} own={own} />
        {detail !== null && detail !== '' && (
          <Text component="span" size="xs" c="dimmed">
            {' · '}
            <bdi>{detail}</bdi>
          </Text>
        )}
      </Text>
      {isUnwilling && (
        <IconPhoneOff size={14} aria-label={t('dialing.suggest.doNotCall')} color="var(--mantine-color-error)" />
      )}
    </>
  );
}
