/** The telephony platforms that tell of their calls and agents, by the ids of their connectors. Plain constants without a library. */
export const platforms = [
  { id: 'genesys', name: 'Genesys Cloud' },
  { id: 'avaya', name: 'Avaya' },
  { id: 'cisco', name: 'Cisco Finesse' },
  { id: 'webexcc', name: 'Webex Contact Center' },
  { id: 'five9', name: 'Five9' },
  { id: 'nice', name: 'NICE CXone' },
  { id: 'talkdesk', name: 'Talkdesk' },
  { id: 'push', name: 'PBX' },
  { id: 'asterisk', name: 'Asterisk' },
] as const;
export type ConnectorId = (typeof platforms)[number]['id'];

/** What people call the platform of a connector; the id of one that this version does not know. */
export function platformName(connector: string): string {
  return platforms.find(({ id }) => id === connector)?.name ?? connector;
}
