import type { ConnectorId } from '../contract/platforms.ts';
import { asterisk } from './asterisk.ts';
import { avaya, breeze } from './avaya.ts';
import { cisco } from './cisco.ts';
import type { Connector } from './connector.ts';
import { five9 } from './five9.ts';
import { genesys } from './genesys.ts';
import { nice } from './nice.ts';
import { push } from './push.ts';
import { talkdesk } from './talkdesk.ts';
import { webexcc } from './webexcc.ts';

/** Every platform that may tell of its calls, by the id in its address. */
export const connectors: ReadonlyMap<string, Connector> = new Map<ConnectorId, Connector>(
  [genesys, avaya, breeze, cisco, webexcc, five9, nice, talkdesk, push, asterisk].map((one) => [one.id, one]),
);
