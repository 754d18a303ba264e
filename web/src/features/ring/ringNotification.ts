/** In the agent's words. `icon`: its address. */
export type RingNotification = { text: string; icon: string; answer: string; decline: string };

/** What a press of a button does. */
export type RingActions = { answer: () => void; decline: () => void };

/** What web/public/sw.js tells of a press; no action: on the notification itself. */
type Press = { ring: string; action: '' | keyof RingActions };

const tag = 'readyline-ring';

/**
 * Shows a notification of the browser, with buttons where the page has its worker: only a worker's notifications have
 * them, and within a CRM's page there is none. A press on the notification brings the page to the front. The agent has
 * allowed notifications.
 * @returns takes it away
 */
export function notifyOfRing(notification: RingNotification, actions: RingActions): () => void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  const worker = serviceWorker?.controller ?? null;
  return serviceWorker === undefined || worker === null
    ? plain(notification)
    : withButtons(notification, actions, serviceWorker, worker);
}

function plain({ text, icon }: RingNotification): () => void {
  const shown = new Notification(text, { tag, icon, requireInteraction: true });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
  return () => shown.close();
}

function withButtons(
  { text, icon, answer, decline }: RingNotification,
  actions: RingActions,
  container: ServiceWorkerContainer,
  worker: ServiceWorker,
): () => void {
  const ring = crypto.randomUUID();
  const take = ({ data }: MessageEvent<Press>) => {
    if (data.ring === ring && data.action !== '') actions[data.action]();
  };
  container.addEventListener('message', take);
  const buttons = [
    { action: 'answer', title: answer },
    { action: 'decline', title: decline },
  ];
  worker.postMessage({
    ring,
    show: { title: text, options: { tag, icon, requireInteraction: true, actions: buttons } },
  });
  return () => {
    container.removeEventListener('message', take);
    worker.postMessage({ ring, show: null });
  };
}
