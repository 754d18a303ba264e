const icons = {
  ringing: new URL('./icon-ringing.svg', import.meta.url).href,
  missed: new URL('./icon-missed.svg', import.meta.url).href,
  usual: '/icon.svg',
};

/** The icon of a call that rings, for a notification too. */
export const ringingIcon = icons.ringing;

const shown = { isRinging: false, hasMissed: false };

/** Shows on the icon of the page's tab that a call rings, else that calls were missed. */
export function showOnTab(part: Partial<typeof shown>): void {
  Object.assign(shown, part);
  const icon = shown.isRinging ? icons.ringing : shown.hasMissed ? icons.missed : icons.usual;
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', icon);
}
