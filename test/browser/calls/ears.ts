/**
 * Which of a page's audio elements: an agent's calls stand first, a supervisor who speaks to the agent is last.
 */
export type Whose = 'all' | 'first' | 'last';

/** The loudest frequency that was heard, and how loud. */
export type Heard = { hertz: number; decibels: number };

declare global {
  interface Window {
    /** One for all listening. */
    ears?: AudioContext;
  }
}

/**
 * Runs in the browser, where it may be sent: listens to what the page's audio elements play
 * for so many milliseconds.
 */
export async function listenTo({ ms, whose }: { ms: number; whose: Whose }): Promise<Heard> {
  const elements = [...document.querySelectorAll('audio')];
  const one = whose === 'first' ? elements.slice(0, 1) : elements.slice(-1);
  const streams = (whose === 'all' ? elements : one)
    .map(({ srcObject }) => srcObject)
    // Of a call that is held, nothing arrives at all.
    .filter((stream) => stream instanceof MediaStream && stream.getAudioTracks().length > 0) as MediaStream[];
  if (streams.length === 0) return { hertz: 0, decibels: -Infinity };
  // Without a loudspeaker: this machine need not have one.
  const context = (window.ears ??= new AudioContext({ sinkId: { type: 'none' } } as AudioContextOptions));
  const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
  const sources = streams.map((stream) => context.createMediaStreamSource(stream));
  for (const source of sources) source.connect(analyser);
  const bins = new Float32Array(analyser.frequencyBinCount);
  let loudest: Heard = { hertz: 0, decibels: -Infinity };
  for (const end = performance.now() + ms; performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    analyser.getFloatFrequencyData(bins);
    bins.forEach((decibels, bin) => {
      const hertz = (bin * context.sampleRate) / analyser.fftSize;
      // Below is the hum of the window itself.
      if (decibels > loudest.decibels && hertz > 100) loudest = { hertz, decibels };
    });
  }
  for (const source of sources) source.disconnect();
  return loudest;
}
