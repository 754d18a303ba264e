import type { NodeTable } from '../../ports/nodes.ts';

/** The table of a gateway that is alone. */
export function createSingleNode(): NodeTable {
  return {
    renew: async () => ({ lapsed: false, dead: [] }),
    // There is no other gateway whose agents it could be asked for.
    async *agentsOf() {},
    retire: async () => undefined,
    leave: async () => undefined,
    takeTurn: async () => true,
  };
}
