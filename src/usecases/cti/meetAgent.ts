import { connectors } from '../../connectors/registry.ts';
import type { PlatformAgentRef } from '../../connectors/connector.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import type { Services } from '../services.ts';

/** The longest id, name, reason or queue of a platform's that is kept. Characters. */
export const longestText = 200;

/** Whom a platform means. Null: it does not say, or too many are remembered already. */
export async function meetAgent(
  { platformAgents }: Pick<Services, 'platformAgents'>,
  { companyId, connector }: CtiConnection,
  ref: PlatformAgentRef | null,
): Promise<PlatformAgent | null> {
  const told = (ref?.id ?? ref?.email ?? ref?.name)?.trim();
  if (ref === null || told === undefined || told === '' || told.length > longestText) return null;
  const short = (text: string | null) => (text === null ? null : text.slice(0, longestText));
  const [email, name] = [short(ref.email), short(ref.name)];
  if (!namesAreIds(connector) || name === null)
    return platformAgents.meet(companyId, connector, { platformId: told, email, name });
  if (told !== name) await platformAgents.join(companyId, connector, { platformId: told, name });
  const platformId = told === name ? ((await platformAgents.idOfName(companyId, connector, name)) ?? told) : told;
  return platformAgents.meet(companyId, connector, { platformId, email, name, isByName: true });
}

/** Whether a platform names an agent now by an id, now by a name. */
export function namesAreIds(connector: string): boolean {
  return connectors.get(connector)?.namesAreIds === true;
}
