/**
 * Whether a request's `Host` names this very machine.
 * A foreign page whose name resolves to this machine (DNS rebinding) would otherwise pass for one of the gateway's own.
 */
export function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
