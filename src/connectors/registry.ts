import type { Connector, ConnectorId } from './connector.ts';
import { push } from './push.ts';

/** Every platform that may tell of its calls, by the id in its address. */
export const connectors: ReadonlyMap<ConnectorId, Connector> = new Map([push].map((one) => [one.id, one]));

export const connectorIds: readonly ConnectorId[] = [...connectors.keys()];
