import { toId, type AgentId, type CompanyId } from '../domain/ids.ts';
import type { Io } from './io.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** What every gateway has to hear of, which is rare. */
export interface GatewayBroadcast {
  /** An agent's tokens are dead: all connections end, wherever they are. */
  revoke(companyId: CompanyId, agentId: AgentId): void;
  /** What is remembered of a company may be out of date. */
  forget(companyId: CompanyId): void;
  /** What softphones show of a company has changed: it is forgotten, and all of its softphones are told. */
  settingsChanged(companyId: CompanyId): void;
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

  function tellSoftphonesHere(companyId: CompanyId): void {
    // Before: they ask at once.
    forgetHere(companyId);
    for (const softphone of registry.all()) {
      if (softphone.companyId === companyId) softphone.socket.emit('settings_changed');
    }
  }

  io.on('revoked', (companyId, agentId) => {
    forgetHere(toId<CompanyId>(companyId));
    disconnectHere(toId<AgentId>(agentId));
  });
  io.on('changed', (companyId) => forgetHere(toId<CompanyId>(companyId)));
  io.on('settings_changed', (companyId) => tellSoftphonesHere(toId<CompanyId>(companyId)));

  return {
    revoke(companyId, agentId) {
      disconnectHere(agentId);
      if (others !== null) io.serverSideEmit('revoked', companyId, agentId);
    },
    forget(companyId) {
      forgetHere(companyId);
      if (others !== null) io.serverSideEmit('changed', companyId);
    },
    settingsChanged(companyId) {
      tellSoftphonesHere(companyId);
      if (others !== null) io.serverSideEmit('settings_changed', companyId);
    },
    onForget(forget) {
      forgetHere = forget;
    },
    async isHeard() {
      await others?.isHeard();
    },
  };
}
