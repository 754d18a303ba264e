import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { somebodyElse } from '../../lib/gateway/signInSharing.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './SoftphoneScreen.module.css';

type Props = { title: string; text: string; action: string; onAction: () => void; children?: ReactNode };

/** In place of the work of a tab that is not the softphone. */
function OpenElsewhere({ title, text, action, onAction, children }: Props) {
  return (
    <Paper component="main" withBorder p="lg" mt="sm">
      <Stack align="center" gap="sm" ta="center">
        <IconDevices size={32} aria-hidden />
        <Title order={2}>{title}</Title>
        <Text size="sm">{text}</Text>
        <Button onClick={onAction}>{action}</Button>
        {children}
      </Stack>
    </Paper>
  );
}

type ElsewhereScreenProps = { name: string; onTakeOver: () => void; onSomebodyElse: () => void };

/**
 * A further tab of an agent whose softphone is open in another one,
 * perhaps in mid-call: nothing moves until they say so.
 */
export function ElsewhereScreen({ name, onTakeOver, onSomebodyElse }: ElsewhereScreenProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Title order={1} size="h2" lineClamp={1} title={name}>
          {name}
        </Title>
      </header>
      <OpenElsewhere
        title={t('softphone.elsewhere.tabTitle')}
        text={t('softphone.elsewhere.tabText')}
        action={t('softphone.elsewhere.takeOver')}
        onAction={onTakeOver}
      >
        <Anchor size="sm" href={somebodyElse} onClick={onSomebodyElse}>
          {t('softphone.elsewhere.somebodyElse')}
        </Anchor>
      </OpenElsewhere>
    </div>
  );
}

/** Shown while another tab or device of the same agent is the softphone. */
export function ReplacedScreen() {
  const { t } = useTranslation();
  const { workplace } = useWorkplace();
  return (
    <OpenElsewhere
      title={t('softphone.elsewhere.title')}
      text={t('softphone.elsewhere.text')}
      action={t('softphone.elsewhere.takeBack')}
      onAction={() => workplace.takeOver()}
    />
  );
}
