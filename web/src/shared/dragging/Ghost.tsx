import type { ReactNode } from 'react';
import classes from './Ghost.module.css';
import type { PickedUp } from './usePickedUp.ts';

/** What is dragged, at the pointer; nothing where nothing is dragged. */
export function Ghost({ at, children }: { at: PickedUp<unknown>['ghost']; children: ReactNode }) {
  if (at === null) return null;
  return (
    <div className={classes.ghost} style={{ left: at.x, top: at.y }} aria-hidden>
      {children}
    </div>
  );
}
