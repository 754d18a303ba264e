// Tells an agent why the softphone cannot be loaded, and shows calls that ring with buttons. Nothing else is kept: the page and
// all data always come from the gateway.

const shell = 'readyline-offline-1';
const files = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg'];

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))));
});

self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys()) if (name !== shell && name.startsWith('readyline-offline-')) await caches.delete(name);
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
  const answer = await Promise.resolve(event.preloadResponse)
    .then((loaded) => loaded ?? fetch(event.request))
    .catch(() => null);
  if (answer !== null && answer.status < 500) return answer;
  return (await caches.match('/offline.html')) ?? answer ?? Response.error();
}

/** One after the other: what is taken away may still be about to be shown. */
let shown = Promise.resolve();

// What web/src/features/ring/ringNotification.ts asks for.
self.addEventListener('message', (event) => {
  const { ring, show } = event.data;
  const page = event.source.id;
  shown = shown.then(() => (show === null ? takeAway(ring) : self.registration.showNotification(show.title, { ...show.options, data: { ring, page } }))).catch(() => {});
  event.waitUntil(shown);
});

async function takeAway(ring) {
  for (const notification of await self.registration.getNotifications()) if (notification.data?.ring === ring) notification.close();
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
