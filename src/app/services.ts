import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { apiKeys } from '../adapters/crypto/apiKey.ts';
import { createPasswordHasher } from '../adapters/crypto/passwordHasher.ts';
import { createSecretCipher } from '../adapters/crypto/secretCipher.ts';
import { createTokenIssuer } from '../adapters/crypto/tokens.ts';
import { newWebhookSecret } from '../adapters/crypto/webhookSecret.ts';
import { loadOrCreateSecret } from '../adapters/files/secrets.ts';
import { createWebhookSender } from '../adapters/webhook/sender.ts';
import { createWebhookUrlGuard } from '../adapters/webhook/urlGuard.ts';
import type { Config } from '../config.ts';
import { toId, type NodeId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Observer } from '../ports/observer.ts';
import type { Softphones } from '../ports/softphones.ts';
import { createAuthenticator, type Authenticator } from '../usecases/auth/authenticate.ts';
import { createRemembered } from '../usecases/remembered.ts';
import type { Services } from '../usecases/services.ts';
import { createDispatcher, type Dispatcher } from '../usecases/webhooks/dispatcher.ts';
import type { Closers } from './closers.ts';
import { startStep } from './startError.ts';
import type { Storage } from './storage.ts';

type Parts = { storage: Storage; softphones: Softphones; clock: Clock; observer: Observer; closers: Closers };

/** Puts everything together that the use cases take. The dispatcher is not started yet. */
export async function createServices(
  config: Config,
  { storage, softphones, clock, observer, closers }: Parts,
): Promise<{ services: Services; authenticator: Authenticator; dispatcher: Dispatcher }> {
  const jwtSecret = config.jwtSecret ?? (await secretOf(config, 'jwt.secret'));
  const encryptionKey = config.encryptionKey ?? (await secretOf(config, 'encryption.key'));
  const sender = createWebhookSender({ policy: config.webhookNetworks });
  closers.add(() => sender.close());
  const remembered = createRemembered({ ...storage, clock });
  const parts = {
    ...storage,
    clock,
    softphones,
    observer,
    apiKeys,
    newWebhookSecret,
    settings: remembered.settings,
    agentCard: remembered.agentCard,
    tokens: createTokenIssuer({ secret: jwtSecret, clock }),
    passwords: createPasswordHasher(),
    cipher: createSecretCipher(encryptionKey),
    sender: sender.send,
    urlGuard: createWebhookUrlGuard({ policy: config.webhookNetworks }),
    newId: () => uuidv7(),
    nodeId: toId<NodeId>(randomUUID()),
    dialsUnderWay: new Map(),
    lostClaims: new Map(),
    logInsUnderWay: new Map(),
  };
  const dispatcher = createDispatcher(parts);
  closers.add(() => dispatcher.stop());
  const authenticator = createAuthenticator(parts);
  const services: Services = {
    ...parts,
    wakeDispatcher: () => dispatcher.wake(),
    dispatcherWorks: () => dispatcher.works(),
    forget() {
      remembered.forgetAll();
      authenticator.forgetAll();
    },
  };
  return { services, authenticator, dispatcher };
}

function secretOf({ dataDir }: Config, name: string): Promise<Buffer> {
  return startStep('DATA_DIR', () => loadOrCreateSecret(dataDir, name));
}
