/** The loudest frequency that was heard, and how loud. */
export type Heard = { hertz: number; decibels: number };

declare global {
  interface Window {
    /** One for all listening. */
    ears?: AudioContext;
  }
}

/**
 * Runs in the browser, where it may be sent: listens to what one of the page's audio elements plays,
 * for so many milliseconds.
 */
export async function listenTo({ ms, whose }: { ms: number; whose: 'first' | 'last' }): Promise<Heard> {
  const elements = document.querySelectorAll('audio');
  const stream = elements[whose === 'first' ? 0 : elements.length - 1]?.srcObject;
  // Of a call that is held, nothing arrives at all.
  if (!(stream instanceof MediaStream) || stream.getAudioTracks().length === 0)
    return { hertz: 0, decibels: -Infinity };
  // Without a loudspeaker: this machine need not have one.
  const context = (window.ears ??= new AudioContext({ sinkId: { type: 'none' } } as AudioContextOptions));
  const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
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
  source.disconnect();
  return loudest;
}
