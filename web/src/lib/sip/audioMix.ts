/** What several people say, in one track. */
export class AudioMix {
  readonly #context: AudioContext;
  readonly #out: MediaStreamAudioDestinationNode;
  readonly #sources = new Map<MediaStream, { gain: GainNode; stop: () => void }>();

  constructor(context: AudioContext, sources: readonly MediaStream[]) {
    this.#context = context;
    this.#out = context.createMediaStreamDestination();
    for (const source of sources) this.add(source);
  }

  get stream(): MediaStream {
    return this.#out.stream;
  }
  get track(): MediaStreamTrack {
    const [track] = this.#out.stream.getAudioTracks();
    if (track === undefined) throw new Error('a mix has one track');
    return track;
  }

  add(source: MediaStream): void {
    if (this.#sources.has(source)) return;
    const node = this.#context.createMediaStreamSource(source);
    const gain = this.#context.createGain();
    node.connect(gain).connect(this.#out);
    // Chromium mixes what comes from afar only while an element takes it, heard or not (crbug.com/121673).
    const taker = new Audio();
    taker.muted = true;
    taker.srcObject = source;
    taker.play().catch(() => {});
    const stop = () => {
      node.disconnect();
      gain.disconnect();
      taker.srcObject = null;
    };
    this.#sources.set(source, { gain, stop });
  }

  /** @param isSilent nothing is heard of that source */
  setSilent(source: MediaStream, isSilent: boolean): void {
    const known = this.#sources.get(source);
    if (known !== undefined) known.gain.gain.value = isSilent ? 0 : 1;
  }

  remove(source: MediaStream): void {
    this.#sources.get(source)?.stop();
    this.#sources.delete(source);
  }

  close(): void {
    for (const source of this.#sources.keys()) this.remove(source);
    this.track.stop();
  }
}
