import type { ListeningMode } from '../../../../src/contract/vocabulary.ts';
import { AudioMix } from './audioMix.ts';
import { gatheredDescription, listeningChannel } from './pageLink.ts';
import type { PhoneListener } from './phoneCall.ts';
import { Speaker } from './speaker.ts';

type Needs = { onChange: () => void; onEnd: () => void };

/** Who has not answered by then does not come. Milliseconds. */
const answersWithinMs = 15_000;

/** Somebody at another page who hears a call of this one: the connection to them, from this side. */
export class Listener implements PhoneListener {
  readonly mix: AudioMix;
  readonly #needs: Needs;
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #speaker = new Speaker(() => {});
  readonly #answering: ReturnType<typeof setTimeout>;
  #voice: MediaStream | null = null;
  #mode: ListeningMode = 'listen';
  #place: ListeningMode | null = null;
  #offer = '';
  #isOver = false;
  #onEnd: () => void = () => {};

  constructor(context: AudioContext, iceServers: RTCIceServer[], needs: Needs) {
    this.#needs = needs;
    this.mix = new AudioMix(context, []);
    this.#connection = new RTCPeerConnection({ iceServers });
    this.#channel = listeningChannel(this.#connection);
    this.#connection.addTrack(this.mix.track, this.mix.stream);
    this.#connection.addEventListener('track', ({ track }) => {
      this.#voice = new MediaStream([track]);
      this.#needs.onChange();
    });
    this.#connection.addEventListener('connectionstatechange', () => {
      if (this.#connection.connectionState === 'failed') this.end();
    });
    this.#channel.addEventListener('open', () => this.#sendPlace());
    this.#channel.addEventListener('close', () => this.end());
    this.#answering = setTimeout(() => this.end(), answersWithinMs);
  }

  get offer(): string {
    return this.#offer;
  }
  get mode(): ListeningMode {
    return this.#mode;
  }
  get isOver(): boolean {
    return this.#isOver;
  }
  /** What they say; null: they cannot be heard. */
  get voice(): MediaStream | null {
    return this.#voice;
  }

  async offerItself(): Promise<void> {
    await this.#connection.setLocalDescription();
    this.#offer = await gatheredDescription(this.#connection);
  }

  async answered(sdp: string): Promise<void> {
    if (this.#isOver) return;
    clearTimeout(this.#answering);
    await this.#connection.setRemoteDescription({ type: 'answer', sdp }).catch(() => this.end());
  }

  become(mode: ListeningMode): void {
    this.#mode = mode;
    if (mode === 'listen' || this.#voice === null) this.#speaker.silence();
    else this.#speaker.play(this.#voice);
    this.#needs.onChange();
  }

  /** Tells them by whom they are heard now. */
  tellPlace(place: ListeningMode): void {
    if (place === this.#place) return;
    this.#place = place;
    this.#sendPlace();
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#answering);
    this.#speaker.silence();
    this.#connection.close();
    this.mix.close();
    this.#needs.onEnd();
    this.#onEnd();
  }

  #sendPlace(): void {
    if (this.#channel.readyState === 'open' && this.#place !== null) this.#channel.send(this.#place);
  }
}
