import type { ClickToDialRequest } from '../../contract/clickToDial.ts';
import type { Principal } from '../../domain/access.ts';
import type { AgentId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { composeScreenPop } from '../screenPops/composeScreenPop.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';
import { chooseAgent } from './chooseAgent.ts';
import { referencesOf } from './newCall.ts';
import type { OfferedDial } from './offerDial.ts';

/** What is read before anybody is claimed: for whom the click is (null: whoever is idle longest), and what is shown. */
export async function prepareDial(
  services: Pick<Services, 'agents' | 'screenPops' | 'settings'>,
  principal: Principal,
  body: ClickToDialRequest,
): Promise<Outcome<{ chosen: AgentId | null; offered: OfferedDial }>> {
  const { companyId } = principal;
  const phone = await readPhone(services, companyId, body.phone_number);
  if (phone.kind === 'refused') return { ...phone, errors: [{ path: 'phone_number', message: phone.detail }] };
  const chosen = await chooseAgent(services, principal, body);
  if (chosen.kind === 'refused') return chosen;
  const pop = await composeScreenPop(services, companyId, phone.value, body.screen_pop);
  return ok({ chosen: chosen.value, offered: { phone: phone.value, pop, references: referencesOf(body) } });
}
