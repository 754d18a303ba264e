import { Anchor, Title } from '@mantine/core';
import { somebodyElse } from '../../lib/gateway/signInSharing.ts';
import classes from './SoftphoneScreen.module.css';
import { OpenElsewhere } from './OpenElsewhere.tsx';

type Props = { name: string; onTakeOver: () => void; onSomebodyElse: () => void };

/** A further tab of an agent whose softphone is open in another one, perhaps in mid-call: nothing moves until they say so. */
export function ElsewhereScreen({ name, onTakeOver, onSomebodyElse }: Props) {
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
