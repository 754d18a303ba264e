import { hubspot } from './hubspot.ts';
import type { Provider } from './provider.ts';

/** Every CRM system that the gateway can connect to. */
export const providers: readonly Provider<unknown>[] = [register(hubspot)];

/** Forgets the type of its credentials: a provider is only ever given what its own schema has read. */
export function register<Credentials>(provider: Provider<Credentials>): Provider<unknown> {
  return provider as unknown as Provider<unknown>;
}
