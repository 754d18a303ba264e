import { copyFile, stat, truncate } from 'node:fs/promises';

/** Both the log and the one before it are at most so long, and what is written between two looks. Bytes. */
const maxBytes = 10 * 1024 ** 2;
const lookEveryMs = 10_000;

/** Begins the log anew where it has grown too long; what it held is kept as `<path>.1`, in place of what was there. */
export async function cutLog(path: string, longest = maxBytes): Promise<void> {
  if ((await stat(path)).size <= longest) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** Keeps a server's log from filling the disk, until the returned function is called. The server appends to it. */
export function keepLogShort(path: string): () => void {
  // A log that cannot be cut now is tried again: nobody is helped by a gateway that ends for it.
  const timer = setInterval(() => void cutLog(path).catch(() => undefined), lookEveryMs).unref();
  return () => clearInterval(timer);
}
