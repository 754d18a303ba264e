import type { Icon } from '@tabler/icons-react';
import classes from './Notable.module.css';

type Props = { tone: 'good' | 'warning' | 'bad'; icon: Icon; text: string };

/** A word that tells how something stands, with its sign and colour. */
export function Notable({ tone, icon: Icon, text }: Props) {
  return (
    <span className={`${classes.notable} ${classes[tone]}`}>
      <Icon className={classes.icon} aria-hidden />
      {text}
    </span>
  );
}
