import type { Role } from '../../../../../src/contract/vocabulary.ts';

/** Each role by name. */
export const roleNames: Record<Role, string> = {
  admin: 'Admin',
  supervisor: 'Supervisor',
  agent: 'Agent',
  dialer: 'Dialer',
};

/** What each role may do. */
export const roleNotes: Record<Role, string> = {
  admin: 'Everything, this console included',
  supervisor: 'The wallboard; sets the states of agents; takes calls too',
  agent: 'The softphone: takes and makes calls',
  dialer: 'A machine that dials or looks up for the company',
};
