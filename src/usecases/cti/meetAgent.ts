import type { PlatformAgentRef } from '../../connectors/connector.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import type { Services } from '../services.ts';

/** The longest id, name, reason or queue of a platform's that is kept. Characters. */
export const longestText = 200;

/** Whom a platform means. Null: it does not say, or too many are remembered already. */
export async function meetAgent({ platformAgents }: Pick<Services, 'platformAgents'>, { companyId, connector }: CtiConnection, ref: PlatformAgentRef | null): Promise<PlatformAgent | null> {
  const platformId = (ref?.id ?? ref?.email ?? ref?.name)?.trim();
  if (ref === null || platformId === undefined || platformId === '' || platformId.length > longestText) return null;
  const short = (text: string | null) => (text === null ? null : text.slice(0, longestText));
  return platformAgents.meet(companyId, connector, { platformId, email: short(ref.email), name: short(ref.name) });
}
