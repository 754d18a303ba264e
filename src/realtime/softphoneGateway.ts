import type { Clock } from '../ports/clock.ts';
import type { PresenceStore } from '../ports/presence.ts';
import type { Softphones } from '../ports/softphones.ts';
import type { Io } from './io.ts';
import { deliverOffer } from './offerDelivery.ts';
import { agentRoom, connectionsRoom, supervisorsRoom } from './rooms.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** How long a softphone may take to acknowledge a pop that is no offer; nothing hangs on it. */
const popAckMs = 2_000;

/** The way from the use cases to the softphones. */
export function createSoftphoneGateway(needs: {
  io: Io;
  registry: SoftphoneRegistry;
  presence: PresenceStore;
  clock: Clock;
}): Softphones {
  const { io, registry } = needs;
  return {
    offer: (claimed, pop, dial, timeoutMs) => deliverOffer(needs, claimed, pop, dial, timeoutMs),
    rescind(companyId, agentId, rescinded) {
      io.to(agentRoom(companyId, agentId)).emit('offer_rescinded', rescinded);
    },
    pop(_companyId, agentId, pop) {
      registry
        .find(agentId)
        ?.socket.timeout(popAckMs)
        .emit('crm_screen_pop', pop, () => {});
    },
    agentChanged(companyId, agentId, state) {
      io.to([agentRoom(companyId, agentId), supervisorsRoom(companyId)]).emit('agent_state_changed', state);
    },
    callChanged(companyId, agentId, call) {
      io.to(agentRoom(companyId, agentId)).emit('call_state_changed', call);
    },
    disconnect(companyId, agentId) {
      io.in(connectionsRoom(companyId, agentId)).disconnectSockets(true);
    },
  };
}
