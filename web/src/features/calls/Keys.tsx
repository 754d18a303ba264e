import { Button } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './CallPanel.module.css';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

type Props = {
  label: string;
  onKey: (key: string) => void;
  /** Takes the focus, and digits that are typed, too. */
  takesTyping?: boolean;
};

/** The twelve keys of a telephone. */
export function Keys({ label, onKey, takesTyping = false }: Props) {
  const { t } = useTranslation();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesTyping) first.current?.focus();
  }, [takesTyping]);

  function type(event: KeyboardEvent): void {
    const isKey = (keys as readonly string[]).includes(event.key);
    if (takesTyping && isKey && !event.ctrlKey && !event.altKey && !event.metaKey) onKey(event.key);
  }

  return (
    <fieldset className={classes.keys} aria-label={label}>
      {keys.map((key, index) => (
        <Button
          key={key}
          ref={index === 0 ? first : null}
          type="button"
          size="xs"
          variant="default"
          aria-label={key === '*' ? t('softphone.call.star') : key === '#' ? t('softphone.call.hash') : undefined}
          onKeyDown={type}
          onClick={() => onKey(key)}
        >
          {key}
        </Button>
      ))}
    </fieldset>
  );
}
