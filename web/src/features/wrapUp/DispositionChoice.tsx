import { Kbd, Radio, type RadioGroupProps } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import classes from './DispositionChoice.module.css';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';
import { isTyping } from '../../shared/isTyping.ts';

type Props = { dispositions: readonly CodeWithLabel[]; value: string; onChange: (code: string) => void } & Pick<RadioGroupProps, 'name' | 'error' | 'errorProps'>;

/** The company's dispositions; the keys 1 to 9 choose one of the first nine while nothing is being typed, and take the focus there. */
export function DispositionChoice({ dispositions, onChange, ...field }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const choose = useEffectEvent(onChange);
  useEffect(() => {
    function chooseByKey(event: KeyboardEvent): void {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping() || !/^[1-9]$/.test(event.key)) return;
      const picked = dispositions[Number(event.key) - 1];
      if (picked === undefined) return;
      event.preventDefault();
      choose(picked.code);
      list.current?.querySelector<HTMLInputElement>(`input[value="${picked.code}"]`)?.focus();
    }
    window.addEventListener('keydown', chooseByKey);
    return () => window.removeEventListener('keydown', chooseByKey);
  }, [dispositions]);
  return (
    <Radio.Group label={t('softphone.wrapUp.howWasIt')} onChange={onChange} {...field}>
      <div ref={list} className={classes.choices}>
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
