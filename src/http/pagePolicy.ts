import type { Request } from 'express';

/**
 * What a page may do beside loading its own files. `telephone`: it is one; `holdsTelephone`: it has the softphone in
 * an iframe, which comes with a policy of its own, but may use no more than the page around it.
 */
export type PageRights = { frameAncestors: readonly string[]; telephone?: boolean; holdsTelephone?: boolean };

/** The headers under which a page is shown. @param nonce of this very answer; @param publicUrl as configured */
export function pagePolicy(request: Request, nonce: string, rights: PageRights, publicUrl: string | null): Record<string, string> {
  const { frameAncestors, telephone = false, holdsTelephone = false } = rights;
  const voice = telephone || holdsTelephone ? 'self' : '';
  return {
    'Content-Security-Policy': contentPolicy(request, nonce, rights, publicUrl),
    'Permissions-Policy': `microphone=(${voice}), autoplay=(${voice})`,
    // For browsers that know no frame-ancestors. It cannot name origins, so pages that others may hold go without.
    ...(frameAncestors.includes("'none'") ? { 'X-Frame-Options': 'DENY' } : {}),
  };
}

/** Own files only. A telephone is reached at the company's own address, which is not known before its agent logs in. */
function contentPolicy(request: Request, nonce: string, rights: PageRights, publicUrl: string | null): string {
  const { frameAncestors, telephone = false, holdsTelephone = false } = rights;
  const host = request.headers.host;
  // Some browsers do not take `self` for the WebSocket of the same host.
  const ownSockets = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  // With a PBX or a SIP proxy on the agent's own machine.
  const sockets = ['wss:', 'ws://127.0.0.1:*', 'ws://localhost:*'];
  // The same hosts as pages: where no telephone network is reached, the page looks whether anything answers there.
  const telephones = [...sockets, 'https:', 'http://127.0.0.1:*', 'http://localhost:*'];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': [
      "'self'",
      ...(publicUrl === null ? [] : [new URL(publicUrl).origin]),
      ...ownSockets,
      ...(telephone ? telephones : []),
    ],
    ...(telephone ? { 'media-src': ["'self'", 'blob:'], 'frame-src': ["'self'", 'tel:', 'sip:'] } : {}),
    ...(holdsTelephone ? { 'frame-src': ["'self'"] } : {}),
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors,
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}
