import { clientPayloads } from '../contract/socket.ts';
import { type Lease, toId } from '../domain/ids.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import { loseConnection, type OpenedSession } from '../usecases/agents/openSession.ts';
import type { Authenticator } from '../usecases/auth/authenticate.ts';
import { retryUntilSuccess } from '../usecases/concurrency/retryUntilSuccess.ts';
import type { Services } from '../usecases/services.ts';
import { listDue } from '../usecases/tasks/tellTasks.ts';
import type { GatewayBroadcast } from './gatewayBroadcast.ts';
import { type EventHandler, receiveEvents } from './incomingEvents.ts';
import type { Io, SoftphoneSocket } from './io.ts';
import type { MessageDelivery } from './messageDelivery.ts';
import type { NodeLink } from './nodeLink.ts';
import { isListeningEvent, ListeningOfConnection } from './listeningEvents.ts';
import { authenticateSocket, authOf, watchToken } from './socketAuthentication.ts';
import { renewToken, type SoftphoneContext, softphoneEvents } from './softphoneEvents.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';
import { createSupervisorViews, type SupervisorViews } from './supervisorViews.ts';
import { giveUp, showState, takeSession } from './takeSession.ts';

type Needs = {
  io: Io;
  registry: SoftphoneRegistry;
  link: NodeLink;
  broadcast: GatewayBroadcast;
  messages: MessageDelivery;
  services: Services;
  authenticator: Authenticator;
};

/**
 * Serves the softphones: authenticates, opens the session, handles events, records the end of the connection.
 * @returns `ended` waits until the end of every closed connection has been recorded
 */
export function serveSoftphones(needs: Needs): { ended(): Promise<void> } {
  const { io, services, authenticator } = needs;
  const ending = new Set<Promise<void>>();
  const views = createSupervisorViews(needs);
  io.use(authenticateSocket((token) => authenticator.byToken(token)));
  io.on('connection', (socket) => {
    const ended = serveConnection({ ...needs, views }, socket).catch((error: unknown) =>
      services.observer.problem('a softphone could not be served', error),
    );
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  });
  return {
    async ended() {
      await Promise.all(ending);
    },
  };
}

/** Resolves when the connection has ended and its end is recorded. */
async function serveConnection(needs: Needs & { views: SupervisorViews }, socket: SoftphoneSocket): Promise<void> {
  const { services, authenticator, views } = needs;
  const { holder } = socket.data;
  const { companyId, agentId } = holder.principal;
  const auth = authOf(socket);
  const gone = new Promise<void>((resolve) => socket.on('disconnect', () => resolve()));
  const listening = new ListeningOfConnection(services, socket);
  const token = watchToken(socket, holder, {
    clock: services.clock,
    byToken: (text) => authenticator.byToken(text),
    onValid({ principal }) {
      views.follow(socket, principal);
      listening
        .recheck(principal)
        .catch((error: unknown) => services.observer.problem('who may listen to a call could not be checked', error));
    },
  });
  // Events that arrive while the session is being opened wait for it.
  const lease = toId<Lease>(services.newId());
  const opening =
    auth.watch === true
      ? null
      : takeSession(needs, socket, {
          asked: auth.session ?? null,
          lease,
          takesListeners: auth.listening === true,
          takesTransfers: auth.transfers === true,
        });
  receiveEvents(
    socket,
    (work) => services.door.enter(companyId, work),
    handlerFor(
      { opening, listening },
      { services, companyId, agentId, holder, renewToken: (text) => token.renew(text) },
    ),
    (message, error) => services.observer.problem(message, error),
  );
  needs.registry.addConnection(agentId, socket);
  try {
    const session = opening === null ? null : await opening;
    if (session !== null) {
      await showState(needs, socket, session.sessionId);
      needs.messages.greet(socket);
      await showDueTasks(needs, socket);
    }
    await views.show(socket);
  } catch (error) {
    giveUp(needs, socket, error);
  }
  await gone;
  token.stop();
  listening.close();
  needs.registry.removeConnection(agentId, socket);
  if (opening === null) return;
  // Also when opening failed: the store may have opened the session although its answer was lost.
  needs.registry.release(agentId, lease);
  await retryUntilSuccess(services, 'a lost connection could not be noted', () =>
    loseConnection(services, { companyId, agentId, lease }),
  );
}

function handlerFor(
  { listening, opening }: { listening: ListeningOfConnection; opening: Promise<OpenedSession | null> | null },
  context: Omit<SoftphoneContext, 'lease'>,
): EventHandler {
  return async (event, payload): Promise<Outcome<object>> => {
    // Every connection may renew its token, also a watching or passive one.
    if (event === 'renew_token') return renewToken(context, clientPayloads.renew_token.parse(payload));
    if (isListeningEvent(event)) return listening.take(event, payload);
    const session = await opening;
    if (opening === null) {
      return refuse('conflict', 'This connection watches only; it has no softphone.', {
        cause: { code: 'watches_only' },
      });
    }
    if (session === null) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
    // The payload was validated by the schema of this event.
    const run = softphoneEvents[event] as (context: SoftphoneContext, payload: unknown) => Promise<Outcome<object>>;
    return run({ ...context, lease: session.lease }, payload);
  };
}

/** Shows an agent who was away what fell due meanwhile. */
async function showDueTasks({ services }: Needs, socket: SoftphoneSocket): Promise<void> {
  try {
    for (const task of await listDue(services, socket.data.holder.principal)) socket.emit('task_due', task);
  } catch (error) {
    services.observer.problem('tasks that are due could not be shown', error);
  }
}
