/** Gateways of two builds, as in a rolling upgrade, must not send a page to and fro. Milliseconds. */
const notAgainWithinMs = 60_000;
const storageKey = 'readyline.reloaded-at';

/**
 * A page that stays open over an upgrade asks for files that are gone. It is loaded anew then, where the gateway has
 * another build by now, and where that loses nothing; otherwise whoever asked for the file says that it did not come.
 */
export function followBuild(): void {
  window.addEventListener('vite:preloadError', () => {
    void hasOtherBuild().then((isOther) => {
      if (!isOther || wasReloaded() || isGuarded()) return;
      sessionStorage.setItem(storageKey, String(Date.now()));
      window.location.reload();
    });
  });
}

/** Whether the gateway's page names another script than this one was begun with. */
async function hasOtherBuild(): Promise<boolean> {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  try {
    const response = await fetch(window.location.pathname, { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(`"${script}"`);
  } catch {
    return false;
  }
}

function wasReloaded(): boolean {
  return Date.now() - Number(sessionStorage.getItem(storageKey) ?? 0) < notAgainWithinMs;
}

/** Whether somebody would be asked first, as with a call on or something unsaved. */
function isGuarded(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
