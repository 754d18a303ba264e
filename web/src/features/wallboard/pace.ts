/** Runs `work` in the next frame, once for however many times it was asked for. A page that is not seen has no frames. */
export function oncePerFrame(work: () => void): { ask: () => void; stop: () => void } {
  let frame: number | null = null;
  return {
    ask: () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        work();
      });
    },
    stop: () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    },
  };
}

/** Runs `work` when asked for, but not again within `pauseMs`: what is asked for meanwhile is done at its end. */
export function withPauses(work: () => void, pauseMs: number): { ask: () => void; now: () => void; stop: () => void } {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  function now(): void {
    isAsked = false;
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = undefined;
      if (isAsked) now();
    }, pauseMs);
    work();
  }
  return {
    ask: () => {
      if (pause === undefined) now();
      else isAsked = true;
    },
    now,
    stop: () => {
      clearTimeout(pause);
      pause = undefined;
      isAsked = false;
    },
  };
}
