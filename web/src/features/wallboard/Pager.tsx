import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import classes from './AgentTable.module.css';
import type { Pages } from './usePages.ts';

/** Which page of the agents is shown, and the way to the others; the arrow keys left and right lead there too. */
export function Pager({ pages }: { pages: Pages }) {
  const { page, count, isPaused, step, togglePause } = pages;
  if (count === 1) return <div className={classes.pager} />;
  const Toggle = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <nav className={classes.pager} aria-label="Pages of agents">
      <ActionIcon variant="default" size="md" aria-label="Page before" aria-keyshortcuts="ArrowLeft" onClick={() => step(-1)}>
        <IconChevronLeft size="1.25em" aria-hidden />
      </ActionIcon>
      <VisuallyHidden>
        Page {page + 1} of {count}
      </VisuallyHidden>
      <span className={classes.page} aria-hidden>
        {page + 1}/{count}
      </span>
      <ActionIcon variant="default" size="md" aria-label="Next page" aria-keyshortcuts="ArrowRight" onClick={() => step(1)}>
        <IconChevronRight size="1.25em" aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" size="md" aria-label={isPaused ? 'Turn pages by itself' : 'Stay on this page'} onClick={togglePause}>
        <Toggle size="1.25em" aria-hidden />
      </ActionIcon>
    </nav>
  );
}
