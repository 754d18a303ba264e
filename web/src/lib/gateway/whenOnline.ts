/** The browsers of an office find their network in one moment, and must not all come back in it. Milliseconds. */
const spreadMs = 1_000;

/** Acts within a second whenever the browser is on a network again. @returns ends it */
export function whenOnline(act: () => void): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const actSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(act, Math.random() * spreadMs);
  };
  addEventListener('online', actSoon);
  return () => {
    removeEventListener('online', actSoon);
    clearTimeout(soon);
  };
}
