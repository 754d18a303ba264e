import { Loader } from '@mantine/core';
import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { Boundary } from '../../shared/Boundary.tsx';
import { useIsInArea } from '../crm/areaAddress.ts';
import { besideFrom as wide } from '../crm/width.ts';
import { useHasArea } from '../crm/useHasArea.ts';
import classes from './BesideCrm.module.css';

const CrmArea = lazyPart(async () => (await import('../crm/CrmArea.tsx')).CrmArea);

/**
 * The softphone, and beside it the CRM area where the company works with contacts. Narrow, one of the two is in sight,
 * as the address says; the softphone is there all the same, and neither its calls nor its place in the page end.
 */
export function BesideCrm({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const isOffered = useHasArea();
  const isInArea = useIsInArea();
  const isWide = useSyncExternalStore(followWidth, () => wide.matches);
  const isWanted = isOffered && (isWide || isInArea);
  const [wasWanted, setWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWanted(true);
  return (
    <div className={classes.frame} data-crm={isOffered ? (isInArea ? 'shown' : 'beside') : undefined}>
      {isOffered && (
        <nav className={classes.tabs} aria-label={t('softphone.crm.tabs')}>
          <a href="#/" aria-current={isInArea ? undefined : 'page'}>
            {t('softphone.crm.phone')}
          </a>
          <a href="#/contacts" aria-current={isInArea ? 'page' : undefined}>
            {t('softphone.crm.crm')}
          </a>
        </nav>
      )}
      <div className={classes.phone}>{children}</div>
      {isOffered && wasWanted && (
        <section className={classes.area} aria-label={t('softphone.crm.crm')}>
          <Boundary name={t('softphone.crm.crm')} isWholePage>
            <Suspense fallback={<Loader size="sm" m="md" />}>
              <CrmArea />
            </Suspense>
          </Boundary>
        </section>
      )}
    </div>
  );
}

function followWidth(changed: () => void): () => void {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}
