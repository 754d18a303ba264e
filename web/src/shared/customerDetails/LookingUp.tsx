import { Group, Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './LookingUp.module.css';

/** A gateway that went away meanwhile says nothing more; it waits for no CRM so long. Milliseconds. */
const longestMs = 7_000;

/** The CRM is being asked. Comes only where that takes longer than a blink. */
export function LookingUp() {
  const { t } = useTranslation();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  if (isOver) return <Text size="sm">{t('softphone.customer.unknown')}</Text>;
  return (
    <Group gap={6} wrap="nowrap" className={classes.late ?? ''} data-testid="looking-up">
      <Loader size={12} aria-hidden />
      <Text size="sm">{t('softphone.customer.askingCrm')}</Text>
    </Group>
  );
}
