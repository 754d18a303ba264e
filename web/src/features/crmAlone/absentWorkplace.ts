import { CannotNow, type Workplace, type WorkplaceView } from '../workplace/workplace.ts';

/** What is seen where there is no softphone: nobody is at work, and nothing is called. */
export const absentView: WorkplaceView = {
  line: 'closed',
  refusal: null,
  agent: null,
  settings: null,
  call: null,
  pop: null,
  phone: { state: 'starting' },
  can: { mute: false, hold: false, dtmf: false, transfer: false, incoming: false, reportsByHand: false },
  caller: null,
  isAnswering: false,
  isMuted: false,
  voiceTrouble: null,
  voiceQuality: null,
  isHeld: false,
  isHeldByOther: false,
  isTransferring: false,
  consult: null,
  reservedColleague: null,
  listeners: [],
  isRecovering: false,
  isEngaged: false,
  turnedAway: null,
  notice: null,
  dueTasks: [],
  messages: [],
};

const refuse = () => Promise.reject(new CannotNow({ state: 'starting' }));
const ignore = () => {};
const unsubscribe = () => ignore;

/** Stands where a page's parts expect a softphone, and is none: no session at the gateway, no state, no calls. */
export const absentWorkplace: Workplace = {
  view: () => absentView,
  subscribe: unsubscribe,
  onPop: unsubscribe,
  now: Date.now,
  setReady: refuse,
  setNotReady: refuse,
  dial: refuse,
  answer: ignore,
  reject: ignore,
  hangUp: ignore,
  setMuted: ignore,
  setHeld: ignore,
  transfer: ignore,
  transferTo: refuse,
  consult: ignore,
  confer: ignore,
  completeConsult: ignore,
  endConsult: ignore,
  sendDtmf: ignore,
  testCall: unsubscribe,
  reportAnswered: ignore,
  reportEnded: ignore,
  extendWrapUp: refuse,
  submitDisposition: refuse,
  chooseRecord: refuse,
  acknowledgeMessage: refuse,
  takeOver: ignore,
  dismissNotice: ignore,
  renewToken: refuse,
  signOut: refuse,
  close: ignore,
};
