import { Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutMarks } from '../../shared/phoneNumbers/direction.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { isTarget, readTarget } from './transferTarget.ts';

/** To whom the call is to be handed on. Takes the focus; Escape closes it. */
export function TransferPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [number, setNumber] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const transferring = useAction(async (written: string) => {
    workplace.transfer(await readTarget(written, view.settings?.default_country != null));
    onClose();
  });
  const isWrong = number.trim() !== '' && !isTarget(number);

  function transfer(event: FormEvent): void {
    event.preventDefault();
    if (isTarget(number) && !view.isTransferring) transferring.run(number);
  }

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose();
  }

  return (
    <form aria-label={t('transfer.title')} onSubmit={transfer}>
      <TextInput
        ref={field}
        mt="xs"
        type="tel"
        label={t('transfer.to')}
        description={t('transfer.hint')}
        error={isWrong ? t('transfer.wrong') : null}
        autoComplete="off"
        maxLength={64}
        value={number}
        onChange={(event) => setNumber(withoutMarks(event.currentTarget.value))}
        onKeyDown={closeOnEscape}
      />
      <Group mt="xs" gap="xs">
        <Button type="submit" size="xs" loading={transferring.isPending} disabled={!isTarget(number) || view.isTransferring} onKeyDown={closeOnEscape}>
          {t('transfer.now')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose} onKeyDown={closeOnEscape}>
          {t('transfer.cancel')}
        </Button>
      </Group>
      <Text size="xs" mt={4}>
        {t('transfer.blind')}
      </Text>
    </form>
  );
}
