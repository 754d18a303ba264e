import { useEffect } from 'react';
import { ColleagueDirectory } from '../colleagues/ColleagueDirectory.tsx';
import { MyDay } from '../day/MyDay.tsx';
import { RingTools } from '../ring/RingTools.tsx';
import { ShortcutHelp } from './ShortcutHelp.tsx';

/** What of the page's tools nobody needs in its first moment. */
export function LazyTools() {
  useEffect(watchOverLoading, []);
  return (
    <>
      <ColleagueDirectory />
      <MyDay />
      <RingTools />
      <ShortcutHelp />
    </>
  );
}

/** From now on the browser says why, where it cannot load this page. Within a CRM's page that is the CRM's business. */
function watchOverLoading(): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (window.top === window) serviceWorker?.register('/sw.js').catch(() => {});
}
