import { AudioMix } from './audioMix.ts';
import type { CallAttempt } from './callAttempt.ts';
import type { IceServers } from './iceServers.ts';
import type { SipCall } from './jssip/sipCall.ts';
import { Listener } from './listener.ts';
import type { PhoneListener } from './phoneCall.ts';

type Needs = {
  attempt: CallAttempt;
  servers: IceServers;
  /** What the agent hears of the other side now; null: nothing. */
  heard: () => MediaStream | null;
  isMuted: () => boolean;
};

/** The customer's call while it is fed with more than the agent's voice. */
type Joined = { call: SipCall; mix: AudioMix };

/**
 * Who listens to one call, or speaks in it. They hear the agent and what the agent hears; nothing of it is in
 * the way of the call itself, except while one of them is heard by the customer: their voices are mixed into
 * what the call sends then.
 */
export class Listeners {
  readonly #needs: Needs;
  readonly #context = new AudioContext();
  readonly #all = new Set<Listener>();
  /** The agent's voice as a track of its own: holding and muting the call silences that of the call alone. */
  #voice: { of: MediaStreamTrack; stream: MediaStream } | null = null;
  #heard: MediaStream | null = null;
  #joined: Joined | null = null;
  /** Of the agent, while joined. */
  #isMuted = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#context.addEventListener('statechange', () => this.refresh());
  }

  /** Whether the agent is muted in what the customer hears, and not at the call itself. */
  get isMutedInMix(): boolean {
    return this.#joined !== null && this.#isMuted;
  }

  /** @returns null: there is nothing to be heard */
  async admit(): Promise<PhoneListener | null> {
    const { attempt, servers } = this.#needs;
    if (attempt.isOver || attempt.stream === null || attempt.call?.dialog == null) return null;
    void this.#context.resume();
    const listener = new Listener(this.#context, servers.current, {
      onChange: () => this.refresh(),
      onEnd: () => {
        this.#all.delete(listener);
        if (listener.voice !== null) for (const mix of this.#mixes) mix.remove(listener.voice);
        this.refresh();
      },
    });
    this.#all.add(listener);
    this.refresh();
    try {
      await listener.offerItself();
    } catch {
      listener.end();
    }
    return attempt.isOver || listener.isOver ? null : listener;
  }

  /** @returns whether it is done for the customer, too: where what they hear is mixed */
  setMuted(isMuted: boolean): boolean {
    if (this.#joined === null) return false;
    this.#isMuted = isMuted;
    this.refresh();
    return true;
  }

  /** The microphone is another one. @returns whether the customer hears it already */
  hearAnew(): boolean {
    this.refresh();
    return this.#joined !== null;
  }

  /**
   * Brings what everybody hears in line with what is so now.
   * What the browser refuses costs the listeners, and not the call.
   */
  refresh(): void {
    try {
      this.#arrange();
    } catch {
      this.#part();
      for (const listener of this.#all) listener.end();
    }
  }

  #arrange(): void {
    const { attempt, heard } = this.#needs;
    const isNeeded = this.#all.size > 0 && !attempt.isOver;
    this.#takeVoice(isNeeded ? attempt.stream : null);
    const sound = isNeeded ? heard() : null;
    // On hold the browser takes the track out of it.
    const other = sound !== null && sound.getAudioTracks().length > 0 ? sound : null;
    if (this.#wantsJoin()) this.#join();
    else this.#part();
    const isMuted = this.#joined === null ? this.#needs.isMuted() : this.#isMuted;
    for (const listener of this.#all) {
      const { mix } = listener;
      if (this.#heard !== null && this.#heard !== other) mix.remove(this.#heard);
      if (other !== null) mix.add(other);
      this.#mixVoice(mix, isMuted);
      for (const speaker of this.#all) if (speaker !== listener) mixSpeaker(mix, speaker);
      listener.tellPlace(listener.mode === 'barge' && this.#joined === null ? 'whisper' : listener.mode);
    }
    this.#heard = other;
    if (this.#joined !== null) {
      this.#mixVoice(this.#joined.mix, isMuted);
      for (const speaker of this.#all) mixSpeaker(this.#joined.mix, speaker);
    }
  }

  /** The customer hears the agent alone, by the call's own track: for whatever does something with it. */
  part(): void {
    this.#part();
    for (const listener of this.#all) listener.tellPlace(listener.mode === 'barge' ? 'whisper' : listener.mode);
  }

  /** The call is over here. */
  close(): void {
    for (const listener of this.#all) listener.end();
    this.#joined?.mix.close();
    this.#joined = null;
    this.#takeVoice(null);
    void this.#context.close();
  }

  /**
   * A mix that does not run would silence the agent; on hold, beside a colleague, or on the way to another call,
   * nobody or the agent alone is heard.
   */
  #wantsJoin(): boolean {
    const { attempt } = this.#needs;
    const speaks = [...this.#all].some(({ mode, voice }) => mode === 'barge' && voice !== null);
    const isPlain =
      !attempt.isOver && attempt.consult === null && attempt.move === null && attempt.call?.dialog?.isHeld === false;
    return speaks && isPlain && this.#voice !== null && this.#context.state === 'running';
  }

  #join(): void {
    const { call } = this.#needs.attempt;
    if (call === null || this.#joined?.call === call) return;
    this.#part();
    this.#isMuted = call.isMuted;
    const mix = new AudioMix(this.#context, []);
    this.#joined = { call, mix };
    // Who is muted is silent in the mix, where the others go on.
    call.setMuted(false);
    call.replaceTrack(mix.track);
    for (const own of this.#needs.attempt.stream?.getAudioTracks() ?? []) own.enabled = own.enabled && !this.#isMuted;
  }

  #part(): void {
    const joined = this.#joined;
    if (joined === null) return;
    this.#joined = null;
    const [track] = this.#needs.attempt.stream?.getAudioTracks() ?? [];
    if (joined.call.lasts && track !== undefined) {
      // First: what takes the place is as silent as what goes.
      joined.call.setMuted(this.#isMuted);
      joined.call.replaceTrack(track);
    }
    joined.mix.close();
  }

  /** The microphone may be another one by now. */
  #takeVoice(own: MediaStream | null): void {
    const track = own?.getAudioTracks()[0] ?? null;
    if (track === (this.#voice?.of ?? null)) return;
    const old = this.#voice;
    this.#voice = track === null ? null : { of: track, stream: new MediaStream([track.clone()]) };
    for (const clone of this.#voice?.stream.getTracks() ?? []) clone.enabled = true;
    if (old === null) return;
    for (const mix of this.#mixes) mix.remove(old.stream);
    for (const clone of old.stream.getTracks()) clone.stop();
  }

  get #mixes(): AudioMix[] {
    return [...[...this.#all].map(({ mix }) => mix), ...(this.#joined === null ? [] : [this.#joined.mix])];
  }

  #mixVoice(mix: AudioMix, isMuted: boolean): void {
    if (this.#voice === null) return;
    mix.add(this.#voice.stream);
    mix.setSilent(this.#voice.stream, isMuted);
  }
}

/** Who speaks to all is heard by all; the others are heard by the agent at most. */
function mixSpeaker(mix: AudioMix, { mode, voice }: Listener): void {
  if (voice === null) return;
  mix.add(voice);
  mix.setSilent(voice, mode !== 'barge');
}
