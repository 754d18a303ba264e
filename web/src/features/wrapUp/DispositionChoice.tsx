import { Kbd, Radio } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import classes from './DispositionChoice.module.css';
import { isTyping } from '../../shared/isTyping.ts';

type Props = { dispositions: readonly CodeWithLabel[]; chosen: string; onChoose: (code: string) => void };

/** The company's dispositions; the keys 1 to 9 choose one of the first nine while nothing is being typed. */
export function DispositionChoice({ dispositions, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    function choose(event: KeyboardEvent): void {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping() || !/^[1-9]$/.test(event.key)) return;
      const wanted = dispositions[Number(event.key) - 1];
      if (wanted === undefined) return;
      event.preventDefault();
      onChoose(wanted.code);
    }
    window.addEventListener('keydown', choose);
    return () => window.removeEventListener('keydown', choose);
  }, [dispositions, onChoose]);
  return (
    <Radio.Group label={t('softphone.wrapUp.howWasIt')} value={chosen} onChange={onChoose}>
      <div className={classes.choices}>
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
                {label}
              </>
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}
