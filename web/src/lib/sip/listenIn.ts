import type { ListeningMode } from '../../../../src/contract/vocabulary.ts';
import { type OpenMicrophone, openMicrophone } from './microphone.ts';
import { gatheredDescription, listeningChannel } from './pageLink.ts';
import { Speaker } from './speaker.ts';

/** Why it ended without being asked to: it was never there, or it is there no more. */
export type ListenInEnd = 'unreachable' | 'ended';

type Needs = {
  /** By whom this page is heard now, as the other page says; `listen`: by nobody. */
  onPlace: (place: ListeningMode) => void;
  onEnd: (why: ListenInEnd) => void;
};

/** Pages that find no way to each other by then do not. Milliseconds. */
const connectsWithinMs = 12_000;

/** A call at another page that is heard at this one: the connection to it, from this side. */
export class ListenIn {
  readonly #needs: Needs;
  readonly #connection: RTCPeerConnection;
  readonly #speaker = new Speaker(() => {});
  readonly #connecting: ReturnType<typeof setTimeout>;
  #microphone: OpenMicrophone | null = null;
  #isConnected = false;
  #isOver = false;

  constructor(iceServers: RTCIceServer[], needs: Needs) {
    this.#needs = needs;
    this.#connection = new RTCPeerConnection({ iceServers });
    const channel = listeningChannel(this.#connection);
    channel.addEventListener('message', ({ data }) => needs.onPlace(data as ListeningMode));
    channel.addEventListener('close', () => this.#end('ended'));
    this.#connection.addEventListener('track', ({ track }) => this.#speaker.play(new MediaStream([track])));
    this.#connection.addEventListener('connectionstatechange', () => {
      const { connectionState: state } = this.#connection;
      this.#isConnected ||= state === 'connected';
      if (this.#isConnected) clearTimeout(this.#connecting);
      if (state === 'failed') this.#end(this.#isConnected ? 'ended' : 'unreachable');
    });
    this.#connecting = setTimeout(() => this.#end('unreachable'), connectsWithinMs);
  }

  /** @param offer of the other page @returns the answer, with all candidates */
  async answer(offer: string): Promise<string> {
    await this.#connection.setRemoteDescription({ type: 'offer', sdp: offer });
    // What this page says may follow at any time, without another offer.
    for (const transceiver of this.#connection.getTransceivers()) transceiver.direction = 'sendrecv';
    await this.#connection.setLocalDescription();
    return gatheredDescription(this.#connection);
  }

  /** Opens the microphone, or closes it. @returns whether it is as asked: not every browser gives it */
  async speak(isHeard: boolean): Promise<boolean> {
    if (!isHeard) {
      await this.#sender?.replaceTrack(null);
      this.#closeMicrophone();
      return true;
    }
    if (this.#microphone?.isLive === true) return true;
    const microphone = await openMicrophone();
    if (microphone.kind === 'unusable') return false;
    if (this.#isOver) {
      microphone.input.close();
      return false;
    }
    this.#closeMicrophone();
    this.#microphone = microphone.input;
    await this.#sender?.replaceTrack(microphone.input.track);
    return true;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#connecting);
    this.#closeMicrophone();
    this.#speaker.silence();
    this.#connection.close();
  }

  get #sender(): RTCRtpSender | undefined {
    return this.#connection.getSenders()[0];
  }

  #closeMicrophone(): void {
    this.#microphone?.close();
    this.#microphone = null;
  }

  #end(why: ListenInEnd): void {
    if (this.#isOver) return;
    this.close();
    this.#needs.onEnd(why);
  }
}
