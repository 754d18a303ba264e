import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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

/** A further tab of an agent whose softphone is open in another one, perhaps in mid-call: nothing moves until they say so. */
export function ElsewhereScreen({ name, onTakeOver, onSomebodyElse }: ElsewhereScreenProps) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Title order={1} size="h2" lineClamp={1} title={name}>
          {name}
        </Title>
      </header>
      <OpenElsewhere
        title="Your softphone is open in another tab"
        text="Calls and customers are shown there. Taken over, it is here, with the call that lasts where your telephone network can move it; otherwise that call ends."
        action="Take over here"
        onAction={onTakeOver}
      >
        <Anchor size="sm" href={somebodyElse} onClick={onSomebodyElse}>
          Sign in as somebody else
        </Anchor>
      </OpenElsewhere>
    </div>
  );
}

/** Shown while another tab or device of the same agent is the softphone. */
export function ReplacedScreen() {
  const { workplace } = useWorkplace();
  return (
    <OpenElsewhere
      title="Your softphone is open somewhere else"
      text="Your softphone is open in another tab or on another device. Calls and customers are shown there."
      action="Take it back to this page"
      onAction={() => workplace.takeOver()}
    />
  );
}
