import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Kbd.css';
import '@mantine/core/styles/Radio.css';
import { Kbd, Radio, type RadioGroupProps } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import classes from './DispositionChoice.module.css';
import { isTyping } from '../../shared/isTyping.ts';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';

type Props = {
  dispositions: readonly CodeWithLabel[];
  value: string;
  onChange: (code: string) => void;
  /** Whether it takes the focus as it appears, where nothing on the page has it. */
  takesFocus?: boolean;
} & Pick<RadioGroupProps, 'name' | 'error' | 'errorProps'>;

function enter(list: HTMLDivElement | null, how?: FocusOptions): void {
  const inputs = [...(list?.querySelectorAll('input') ?? [])];
  (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus(how);
}

/** The company's dispositions; in their list the keys 1 to 9 choose one of the first nine. */
export function DispositionChoice({ dispositions, onChange, takesFocus = false, ...field }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Of another window, as the CRM around this page, nothing is taken away.
    if (takesFocus && document.hasFocus() && (document.activeElement ?? document.body) === document.body)
      enter(list.current, { preventScroll: true });
  }, [takesFocus]);
  const isMissing = field.error !== undefined;
  useEffect(() => {
    if (isMissing && !isTyping()) enter(list.current);
  }, [isMissing]);

  function chooseByKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
    const picked = dispositions[Number(event.key) - 1];
    if (picked === undefined) return;
    event.preventDefault();
    onChange(picked.code);
    list.current?.querySelector<HTMLInputElement>(`input[value="${picked.code}"]`)?.focus();
  }

  return (
    <Radio.Group label={t('softphone.wrapUp.howWasIt')} onChange={onChange} {...field}>
      <div ref={list} role="presentation" className={classes.choices} onKeyDown={chooseByKey}>
        {dispositions.map(({ code, label }, index) => (
          <Radio
            key={code}
            value={code}
            size="xs"
            classNames={{ label: classes.label ?? '' }}
            label={
              <>
                {index < 9 && (
                  <Kbd size="xs" aria-hidden>
                    {index + 1}
                  </Kbd>
                )}{' '}
                {dispositionLabel(t, { code, label })}
              </>
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}
