import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, Outlet, useLocation } from 'react-router';
import { Boundary } from '../../shared/Boundary.tsx';
import { followAddress } from './areaAddress.ts';
import { areas } from './areas.tsx';
import { CallStrip } from './CallStrip.tsx';
import classes from './Frame.module.css';
import { Waiting } from './Loaded.tsx';
import { useFollowCaller } from './useFollowCaller.ts';

/**
 * What stands around every page of the area: the call, where the softphone is out of sight,
 * and the way to the other pages.
 */
export function Frame() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const page = useRef<HTMLDivElement>(null);
  useFollowCaller(page);
  // The router changes the address without the browser telling anybody.
  useEffect(followAddress, [pathname]);
  return (
    <>
      <div className={classes.top}>
        <CallStrip />
        <nav className={classes.areas} aria-label={t('crmArea.shell.pages')}>
          {areas.map(({ path, name, icon: Icon }) => (
            <NavLink key={path} to={`/${path}`}>
              <Icon size={16} stroke={1.75} />
              {t(`crmArea.areas.${name}`)}
            </NavLink>
          ))}
        </nav>
      </div>
      <div ref={page} className={classes.page}>
        <Boundary key={pathname} name={t('crmArea.shell.page')} isWholePage>
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </Boundary>
      </div>
    </>
  );
}
