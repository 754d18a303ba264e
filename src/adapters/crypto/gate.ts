/** Lets at most `limit` works run at a time; the others wait in the order they came. */
export function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < limit) running += 1;
    // The one that ends hands its place over, so `running` stays as it is.
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
