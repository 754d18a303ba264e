import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { signedIn } from '../../lib/gateway/signIn.ts';

/**
 * Whether who is signed in may have somebody called who is not to be called: supervisors and admins,
 * as the gateway has it.
 */
export function mayOverride(): boolean {
  const role = signedIn()?.agent.role;
  return role === 'supervisor' || role === 'admin';
}

/**
 * Whether a dial was refused because the number is not to be called,
 * and who is signed in may have it called all the same.
 */
export function canCallAnyway(error: unknown): boolean {
  const code = error instanceof SoftphoneRefusal ? error.refusal.code : error instanceof ApiProblem ? error.code : null;
  return code === 'do_not_call' && mayOverride();
}
