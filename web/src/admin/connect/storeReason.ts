import type { LeaveReason } from '../shell/leaveGuard.ts';

/** Asked before something that is shown once goes away. */
export const notYetStored: LeaveReason = {
  title: 'Is it stored?',
  text: 'This is shown only now. Once you go on nobody can see it again; a lost one can only be replaced by a new one.',
  stay: 'Back to it',
  leave: 'It is stored, go on',
};
