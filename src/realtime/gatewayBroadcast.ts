import { toId, type AgentId, type CompanyId } from '../domain/ids.ts';
import type { Io } from './io.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** What every gateway has to hear of, which is rare. */
export interface GatewayBroadcast {
  /** An agent's tokens are dead: all connections end, wherever they are. */
  revoke(companyId: CompanyId, agentId: AgentId): void;
  /** What is remembered of a company may be out of date. */
  forget(companyId: CompanyId): void;
  /** Says what forgetting means here. */
  onForget(forget: (companyId: CompanyId) => void): void;
  /** Resolves when other gateways are heard in every room that has been joined so far. */
  isHeard(): Promise<void>;
}

/** @param others null: no other gateway could hear anything */
export function createGatewayBroadcast({
  io,
  registry,
  others,
}: {
  io: Io;
  registry: SoftphoneRegistry;
  others: { isHeard(): Promise<void> } | null;
}): GatewayBroadcast {
  let forgetHere: (companyId: CompanyId) => void = () => {};

  function disconnectHere(agentId: AgentId): void {
    for (const socket of registry.connectionsOf(agentId)) socket.disconnect(true);
  }

  io.on('revoked', (companyId, agentId) => {
    forgetHere(toId<CompanyId>(companyId));
    disconnectHere(toId<AgentId>(agentId));
  });
  io.on('changed', (companyId) => forgetHere(toId<CompanyId>(companyId)));

  return {
    revoke(companyId, agentId) {
      disconnectHere(agentId);
      if (others !== null) io.serverSideEmit('revoked', companyId, agentId);
    },
    forget(companyId) {
      forgetHere(companyId);
      if (others !== null) io.serverSideEmit('changed', companyId);
    },
    onForget(forget) {
      forgetHere = forget;
    },
    async isHeard() {
      await others?.isHeard();
    },
  };
}
