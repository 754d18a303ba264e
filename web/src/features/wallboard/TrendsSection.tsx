import { Button } from '@mantine/core';
import { IconChartBar, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import type { Wallboard } from './wallboard.ts';

/** Nobody waits for the charts who does not look at them. */
const Trends = lazyPart<{ wallboard: Wallboard; teamId: string | null }>(
  async () => (await import('./trends/Trends.tsx')).Trends,
  async () => ({ trends: (await import('../../locales/en/trends.json')).default }),
);

const chosen = 'readyline.wallboard.trends';

/** How the day has gone, where somebody wants to see it; kept open in this browser. */
export function TrendsSection({ wallboard, teamId }: { wallboard: Wallboard; teamId: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(() => localStorage.getItem(chosen) === 'open');

  function toggle(): void {
    localStorage.setItem(chosen, isOpen ? 'closed' : 'open');
    setOpen(!isOpen);
  }

  const Toggle = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <section aria-label={t('wallboard.trends')}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-expanded={isOpen}
        leftSection={<IconChartBar size="1.25em" aria-hidden />}
        rightSection={<Toggle size="1.25em" aria-hidden />}
        onClick={toggle}
      >
        {t('wallboard.trends')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Trends wallboard={wallboard} teamId={teamId} />
        </Suspense>
      )}
    </section>
  );
}
