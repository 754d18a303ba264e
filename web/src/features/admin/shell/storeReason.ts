import type { LeaveReason } from './leaveGuard.ts';

/** Asked while something that will be shown once is being made: its answer reaches this page alone. */
export const beingMade: LeaveReason = {
  title: 'Leave before it is here?',
  text: 'Something that is shown only once is being made, and comes to this page alone. If you leave now nobody sees it, and it has to be made anew.',
  stay: 'Wait for it',
  leave: 'Leave without it',
};

/** Asked before something that is shown once goes away. */
export const notYetStored: LeaveReason = {
  title: 'Is it stored?',
  text: 'This is shown only now. Once you go on nobody can see it again; a lost one can only be replaced by a new one.',
  stay: 'Back to it',
  leave: 'It is stored, go on',
};
