import type { CallAttempt } from './callAttempt.ts';
import { Conference } from './conference.ts';
import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { Consult, ConsultOptions, PhoneEnd, PhoneProblem } from './phoneCall.ts';

type Needs = {
  /** It is on hold while the agent talks to the colleague. */
  customer: SipCall;
  /** What the customer is heard by; null: nothing yet. */
  customerSound: () => MediaStream | null;
  /** The agent's microphone; null: there is none. */
  own: () => MediaStream | null;
  /**
   * What the agent says, for the colleague alone: holding one of the calls mutes its own. Ended with the consultation.
   */
  voice: MediaStream;
  /** Calls the colleague. Throws where the browser takes no part in it; null: there is no telephone any more. */
  call: (listener: SipCallListener) => SipCall | null;
  /** Unanswered for longer, the colleague is given up. Milliseconds. */
  noAnswerMs: number;
  /** Customer and colleague are joined as soon as that one answers. */
  joinsAtOnce: boolean;
  /** The gateway has reserved the colleague for the customer. */
  isReserved: boolean;
  /** The colleague's; absent: not known. */
  name: string | undefined;
  /** See ConsultOptions. */
  onDeclined: (() => void) | undefined;
  play: (stream: MediaStream) => void;
  onChange: (consult: Consult) => void;
  /** @param isHandingOn the network is asked to join customer and colleague: the customer is left on hold */
  onOver: (isHandingOn: boolean) => void;
  onProblem: (problem: PhoneProblem) => void;
};

/**
 * A network that has put somebody in the colleague's call takes it away;
 * one that has not done so by then is told. Milliseconds.
 */
const takenAwayWithinMs = 4_000;
/** RFC 3261, 21.6.2. */
const declined = 603;

/**
 * The agent talks to a colleague, or to anybody, while the customer is on hold, before the call is handed on.
 * One of both is on hold at any time, unless all three talk; whoever is left by the other one is with the agent again.
 */
export class Consultation {
  /** As it was dialed. */
  readonly #to: string;
  readonly #needs: Needs;
  #voice: MediaStream;
  #colleague: SipCall | null = null;
  #sound: MediaStream | null = null;
  #step: Consult['step'] | 'over' = 'holding';
  /** With whom the agent talks, or is about to. */
  #with: Consult['with'] = 'colleague';
  /** The network is asked to join the others: that the colleague leaves may be what was asked for. */
  #isHandingOn = false;
  #joinsAtOnce: boolean;
  /** It is known from elsewhere that the colleague will not answer. */
  #isUnreachable = false;
  #conference: Conference | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(to: string, needs: Needs) {
    this.#to = to;
    this.#needs = needs;
    this.#voice = needs.voice;
    this.#joinsAtOnce = needs.joinsAtOnce;
  }

  /** Who is talked to now, for tones. */
  get current(): SipCall {
    return this.#with === 'colleague' && this.#step === 'talking' && this.#colleague !== null
      ? this.#colleague
      : this.#needs.customer;
  }
  get isWithCustomer(): boolean {
    return this.#with === 'customer';
  }
  /** Whether the agent is heard by nobody in a conference. */
  get isSilentInConference(): boolean {
    return this.#conference?.isMuted === true;
  }

  begin(): void {
    const { customer } = this.#needs;
    this.#tell();
    if (customer.isHeld) this.#call();
    else customer.setHeld(true);
  }

  /** The customer's call is held, or is not, whoever wanted that. */
  customerHeld(isHeld: boolean): void {
    if (this.#step === 'over') return;
    if (this.#step === 'holding') return isHeld ? this.#call() : this.#leave();
    if (this.#with === 'both' && !isHeld) return this.#mix();
    this.#turnTo(isHeld ? 'colleague' : 'customer');
    if (isHeld && this.#colleague?.isHeld === true) this.#colleague.setHeld(false);
  }

  /** Holds the one and talks to the other, who may still be ringing. */
  talkTo(who: 'colleague' | 'customer'): void {
    const { customer } = this.#needs;
    if (this.#step === 'over' || this.#step === 'holding' || who === this.#with) return;
    this.#turnTo(who);
    if (who === 'colleague') customer.setHeld(true);
    else if (this.#step === 'talking' && this.#colleague?.isHeld === false) this.#colleague.setHeld(true);
    else customer.setHeld(false);
  }

  /** All three talk, as soon as nobody is on hold; once the colleague has answered. */
  confer(): void {
    const { customer } = this.#needs;
    if (this.#step !== 'talking' || this.#with === 'both' || this.#isHandingOn) return;
    this.#with = 'both';
    this.#tell();
    if (customer.isHeld) customer.setHeld(false);
    else if (this.#colleague?.isHeld === true) this.#colleague.setHeld(false);
    else this.#mix();
  }

  /** @returns whether it is done for the customer too, in a conference */
  setMuted(isMuted: boolean): boolean {
    this.#conference?.setMuted(isMuted);
    if (this.#conference === null) this.#colleague?.setMuted(isMuted);
    return this.#conference !== null;
  }

  /**
   * @param own the microphone that is used from now on
   * @returns whether the customer hears it already, in a conference
   */
  hearBy(own: MediaStream): boolean {
    const voice = own.clone();
    const [track] = voice.getAudioTracks();
    this.#closeVoice();
    this.#voice = voice;
    if (this.#conference !== null) this.#conference.hearBy(own);
    else if (track !== undefined) this.#colleague?.replaceTrack(track);
    return this.#conference !== null;
  }

  /**
   * Has the network join customer and colleague (REFER with Replaces, RFC 5589, 7). One who has not answered
   * yet is joined when they do, if the gateway has reserved them; else the network calls them in the agent's
   * place: nobody has to wait.
   */
  complete(): void {
    const { customer, isReserved } = this.#needs;
    const colleague = this.#colleague;
    if (colleague === null || this.#isHandingOn) return;
    if (this.#step === 'talking') this.#isHandingOn = customer.transfer(this.#to, colleague);
    else if (isReserved) this.#joinsAtOnce = true;
    else if (customer.transfer(this.#to)) {
      this.#isHandingOn = true;
      colleague.hangUp();
    }
  }

  /** Customer and colleague were not joined. */
  notHandedOn(): void {
    this.#isHandingOn = false;
  }

  /** Back to the customer. @param why absent: the agent has enough of the colleague */
  end(why?: 'unreachable'): void {
    this.#isUnreachable ||= why === 'unreachable';
    if (this.#colleague === null) this.#beLeft({ endedBy: 'agent' });
    else this.#colleague.hangUp();
  }

  /** The customer's call is over here. @param isHandedOn the network joins the others, or has done so */
  close(isHandedOn: boolean): void {
    if (this.#step === 'over') return;
    this.#step = 'over';
    clearTimeout(this.#timer);
    const colleague = this.#colleague;
    this.#endConference();
    this.#closeVoice();
    if (!isHandedOn) return void colleague?.hangUp();
    colleague?.silence();
    setTimeout(() => colleague?.hangUp(), takenAwayWithinMs);
  }

  readonly #listener: SipCallListener = {
    onEvent: (event) => {
      if (event.type === 'rings') this.#goTo('ringing');
      else if (event.type === 'connected') this.#talk();
      else if (event.type === 'held') this.#colleagueHeld(event.isHeld);
      else if (event.type === 'ended') this.#beLeft(event.end);
    },
    onSound: (stream) => {
      this.#sound = stream;
      if (this.#step !== 'over' && this.#with === 'colleague') this.#needs.play(stream);
    },
    onProblem: (problem) => this.#needs.onProblem(problem),
    onReferred: (referral) => referral.refuse(603),
    onReplaced: (call) => call.reject('decline_busy'),
  };

  #call(): void {
    this.#goTo('calling');
    try {
      this.#colleague = this.#needs.call(this.#listener);
      if (this.#colleague === null) return this.#leave();
      this.#timer = setTimeout(() => this.#colleague?.hangUp('no_answer'), this.#needs.noAnswerMs);
    } catch {
      this.#needs.onProblem({ code: 'settings_refused' });
      this.#leave();
    }
  }

  #talk(): void {
    clearTimeout(this.#timer);
    this.#goTo('talking');
    if (this.#needs.customer.isMuted) this.#colleague?.setMuted(true);
    // The agent is back with the customer, and has not given the colleague up.
    if (this.#with === 'customer') this.#colleague?.setHeld(true);
    // After the colleague's answer is acknowledged: the PBX knows no call of theirs before.
    if (this.#joinsAtOnce) queueMicrotask(() => this.complete());
    this.#joinsAtOnce = false;
  }

  #colleagueHeld(isHeld: boolean): void {
    if (this.#step === 'over' || this.#with === 'colleague') return;
    if (this.#with === 'both') return isHeld ? this.#turnTo('customer') : this.#mix();
    // Refused: the customer has been on hold all the time.
    if (!isHeld) this.#turnTo('colleague');
    else if (this.#needs.customer.isHeld) this.#needs.customer.setHeld(false);
  }

  #beLeft({ endedBy, sipCode }: Pick<PhoneEnd, 'endedBy' | 'sipCode'>): void {
    if (this.#step === 'over') return;
    if (sipCode === declined) this.#needs.onDeclined?.();
    const code = this.#step === 'talking' ? 'consult_over' : 'consult_unanswered';
    const isOwnWish = (endedBy === 'agent' && !this.#isUnreachable) || this.#isHandingOn;
    this.#leave();
    if (!isOwnWish) this.#needs.onProblem({ code, who: this.#needs.name ?? this.#to });
  }

  /** The agent is back with the customer, unless the network is asked to take the customer on. */
  #leave(): void {
    const { customer, customerSound, onOver, play } = this.#needs;
    this.#step = 'over';
    clearTimeout(this.#timer);
    this.#endConference();
    this.#closeVoice();
    onOver(this.#isHandingOn);
    const sound = customerSound();
    if (sound !== null) play(sound);
    if (!this.#isHandingOn && customer.lasts && customer.isHeld) customer.setHeld(false);
  }

  /** As soon as neither is on hold. */
  #mix(): void {
    const { customer, customerSound, own, play } = this.#needs;
    const [colleague, heard, sound, microphone] = [this.#colleague, this.#sound, customerSound(), own()];
    if (this.#conference !== null || colleague === null || heard === null || sound === null || microphone === null)
      return;
    if (customer.isHeld || colleague.isHeld) return;
    const of = (voice: MediaStream | null) => voice?.getAudioTracks()[0] ?? null;
    this.#conference = new Conference({
      customer: { call: customer, sound, voice: () => of(own()) },
      colleague: { call: colleague, sound: heard, voice: () => of(this.#voice) },
      own: microphone,
      isMuted: customer.isMuted,
      play,
    });
  }

  #endConference(): void {
    this.#conference?.close();
    this.#conference = null;
  }

  #turnTo(who: 'colleague' | 'customer'): void {
    if (who === this.#with) return;
    this.#endConference();
    this.#with = who;
    const sound = who === 'colleague' ? this.#sound : this.#needs.customerSound();
    if (sound !== null) this.#needs.play(sound);
    this.#tell();
  }

  #goTo(step: Consult['step']): void {
    if (this.#step === 'over') return;
    this.#step = step;
    this.#tell();
  }

  #tell(): void {
    const { name, onChange } = this.#needs;
    if (this.#step !== 'over')
      onChange({ to: this.#to, ...(name === undefined ? {} : { name }), step: this.#step, with: this.#with });
  }

  #closeVoice(): void {
    for (const track of this.#voice.getTracks()) track.stop();
  }
}

type Around = {
  /** Null: there is no telephone any more. Throws where the browser takes no part in it. */
  dial: (voice: MediaStream, listener: SipCallListener) => SipCall | null;
  usualNoAnswerMs: number;
  play: (stream: MediaStream) => void;
  /** Null: it is over, or could not be begun. */
  onChange: (consult: Consult | null) => void;
  onProblem: (problem: PhoneProblem) => void;
};

/** Begins to talk to somebody about a call that is connected, one at a time. */
export function beginConsultation(attempt: CallAttempt, to: string, options: ConsultOptions, around: Around): void {
  const { call: customer, stream } = attempt;
  const isFree = !attempt.isOver && attempt.move === null && attempt.consult === null;
  if (!isFree || customer === null || stream === null) return around.onChange(null);
  attempt.listeners?.part();
  const voice = stream.clone();
  // A call on hold has silenced what was cloned.
  for (const track of voice.getTracks()) track.enabled = true;
  attempt.consult = new Consultation(to, {
    customer,
    voice,
    customerSound: () => attempt.sound,
    own: () => attempt.stream,
    call: (listener) => around.dial(voice, listener),
    noAnswerMs: Math.min(options.withinMs ?? Infinity, around.usualNoAnswerMs),
    joinsAtOnce: options.joinsAtOnce === true,
    isReserved: options.forCall !== undefined,
    name: options.name,
    onDeclined: options.onDeclined,
    play: around.play,
    onChange: around.onChange,
    onOver: (isHandingOn) => {
      attempt.consult = null;
      attempt.waitsForTransfer = isHandingOn;
      around.onChange(null);
    },
    onProblem: around.onProblem,
  });
  attempt.consult.begin();
}
