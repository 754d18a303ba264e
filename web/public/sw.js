// Tells an agent why the softphone cannot be loaded, shows calls that ring with buttons, and tells a page that another
// one is about to take its place. Nothing else is kept: the page and all data always come from the gateway, since a page
// that is kept is an old one after the next deploy.

const shell = 'readyline-offline-1';
const files = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg'];

self.addEventListener('install', (event) => {
  self.skipWaiting();
  // What the gateway is asked goes past this worker, where a browser knows how: the last words of a page that goes would
  // be lost while a worker starts for them.
  event.addRoutes?.({
    condition: { urlPattern: new URLPattern({ pathname: '/api/*' }) },
    source: 'network',
  });
  event.waitUntil(
    caches.open(shell).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))),
  );
});

self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys())
    if (name !== shell && name.startsWith('readyline-offline-')) await caches.delete(name);
  // The page is asked for while the worker starts: it costs no time.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === 'navigate' && pathname === '/') event.respondWith(softphone(event));
  else if (files.includes(pathname)) event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
});

async function softphone(event) {
  const told = tellOfPage().catch(() => {});
  const answer = await Promise.resolve(event.preloadResponse)
    .then((loaded) => loaded ?? fetch(event.request))
    .catch(() => null);
  // Once the browser has the answer, the page of before goes.
  await told;
  if (answer !== null && answer.status < 500) return answer;
  return (await caches.match('/offline.html')) ?? answer ?? Response.error();
}

/**
 * A page that does not answer by then hangs. On a slow computer one in a call may take a second,
 * and would end the call if it did not hear. Milliseconds.
 */
const hearsWithin = 3_000;

/**
 * Softphones learn that a page is being loaded, perhaps in the place of one of them, which then is not closed for good:
 * web/src/features/workplace/departure.ts.
 */
async function tellOfPage() {
  const { held } = await navigator.locks.query();
  // As SessionOwner names them. Nobody is waited for where no softphone is open.
  if (!held.some(({ name }) => name.startsWith('readyline.session.'))) return;
  const pages = (await self.clients.matchAll({ type: 'window' })).filter(({ url }) => new URL(url).pathname === '/');
  const late = new Promise((resolve) => setTimeout(resolve, hearsWithin));
  await Promise.race([late, Promise.all(pages.map(tell))]);
}

function tell(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    page.postMessage({ softphone: 'comes' }, [port2]);
  });
}

/** One after the other: what is taken away may still be about to be shown. */
let shown = Promise.resolve();

// What web/src/features/ring/ringNotification.ts asks for; and a softphone that wants to be told of pages that come.
self.addEventListener('message', (event) => {
  const { ring, show, softphone: here } = event.data;
  if (here === 'here') return event.source.postMessage({ softphone: 'watches' });
  const page = event.source.id;
  shown = shown
    .then(() =>
      show === null
        ? takeAway(ring)
        : self.registration.showNotification(show.title, { ...show.options, data: { ring, page } }),
    )
    .catch(() => {});
  event.waitUntil(shown);
});

async function takeAway(ring) {
  for (const notification of await self.registration.getNotifications())
    if (notification.data?.ring === ring) notification.close();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(passOn(event.notification.data, event.action));
});

async function passOn({ ring, page }, action) {
  const client = await self.clients.get(page);
  client?.postMessage({ ring, action });
  // Who declines stays where they are. A browser may refuse to change windows.
  if (action !== 'decline') await client?.focus().catch(() => {});
}
