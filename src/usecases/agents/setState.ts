import type { RequestableState } from '../../contract/vocabulary.ts';
import { standardReasons } from '../../contract/vocabulary.ts';
import type { CompanySettings } from '../../domain/company.ts';
import type { AgentId, CompanyId, Lease } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Services } from '../services.ts';
import { changePresence } from './changePresence.ts';
import { refusedChange } from './refusedChange.ts';

type Needs = Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer' | 'settings'>;

/** The agent goes Ready, Not Ready (with a reason) or offline; during a call and wrap-up the wish is kept for after. */
export async function setState(
  services: Needs,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  wish: { state: RequestableState; reason?: string | undefined },
): Promise<Outcome<Presence>> {
  const refused = unknownReason(await services.settings(companyId), wish);
  if (refused !== null) return refused;
  const wanted = { state: wish.state, reason: wish.reason ?? null };
  const changed = await changePresence(services, companyId, agentId, { type: 'ask', wanted, lease, force: false });
  if (changed.kind === 'changed') return ok(changed.after);
  if (changed.kind === 'unchanged' && changed.current !== null) return ok(changed.current);
  return refusedChange(changed, `go ${wish.state}`);
}

/** A reason belongs to Not Ready, and is one of the standard ones or the company's own. */
export function unknownReason(
  settings: CompanySettings,
  wish: { state: RequestableState; reason?: string | undefined },
): Refused | null {
  if (wish.reason === undefined) return null;
  if (wish.state !== 'not_ready') {
    return refuse('invalid_request', 'Only not_ready takes a reason.', {
      errors: [{ path: 'reason', message: 'is for not_ready only' }],
    });
  }
  const known = [...standardReasons, ...settings.notReadyReasons.map((reason) => reason.code)];
  if (known.includes(wish.reason)) return null;
  return refuse('invalid_request', 'The company has no such Not Ready reason.', {
    errors: [{ path: 'reason', message: `must be one of: ${known.join(', ')}` }],
  });
}
