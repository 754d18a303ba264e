/**
 * The telephony platforms that tell of their calls and agents, by the ids of their connectors.
 * Plain constants without a library.
 */
export const platforms = [
  { id: 'genesys', name: 'Genesys Cloud' },
  { id: 'avaya', name: 'Avaya' },
  { id: 'breeze', name: 'Avaya Breeze' },
  { id: 'cisco', name: 'Cisco Finesse' },
  { id: 'webexcc', name: 'Webex Contact Center' },
  { id: 'five9', name: 'Five9' },
  { id: 'nice', name: 'NICE CXone' },
  { id: 'talkdesk', name: 'Talkdesk' },
  { id: 'push', name: 'PBX' },
  { id: 'asterisk', name: 'Asterisk' },
] as const;
export type ConnectorId = (typeof platforms)[number]['id'];

/**
 * What stands in the steps and files of the catalog where the company's own belongs, which is shown once,
 * and where the gateway does not know its address.
 */
export const recipeGaps = { token: 'YOUR-TOKEN', secret: 'YOUR-SECRET', gateway: 'https://YOUR-GATEWAY' } as const;

/**
 * Why a call ended, where a platform tells. `forwarded`: it went on to somebody else,
 * whether it was answered before or not.
 */
export const platformCauses = [
  'answered_elsewhere',
  'busy',
  'no_answer',
  'rejected',
  'canceled',
  'failed',
  'forwarded',
] as const;
export type PlatformCause = (typeof platformCauses)[number];

/** What people call the platform of a connector; the id of one that this version does not know. */
export function platformName(connector: string): string {
  return platforms.find(({ id }) => id === connector)?.name ?? connector;
}
