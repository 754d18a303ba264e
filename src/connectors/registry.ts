import { asterisk } from './asterisk.ts';
import { avaya, avayaStates } from './avaya.ts';
import { cisco, ciscoStates } from './cisco.ts';
import type { Connector, ConnectorId } from './connector.ts';
import { five9, five9States } from './five9.ts';
import { genesys, genesysPresences } from './genesys.ts';
import { nice, niceStates } from './nice.ts';
import { push } from './push.ts';
import type { StateTable } from './states.ts';
import { talkdesk, talkdeskStates } from './talkdesk.ts';
import { webexcc, webexccStates } from './webexcc.ts';

/** Every platform that may tell of its calls, by the id in its address. */
export const connectors: ReadonlyMap<ConnectorId, Connector> = new Map(
  [genesys, avaya, cisco, webexcc, five9, nice, talkdesk, push, asterisk].map((one) => [one.id, one]),
);

export const connectorIds: readonly ConnectorId[] = [...connectors.keys()];

/** What the platforms call the states of their agents, in both directions; of Genesys, its presences. */
export const stateTables: Readonly<Record<ConnectorId, StateTable>> = {
  genesys: genesysPresences,
  avaya: avayaStates,
  cisco: ciscoStates,
  webexcc: webexccStates,
  five9: five9States,
  nice: niceStates,
  talkdesk: talkdeskStates,
  push: [],
  asterisk: [],
};
