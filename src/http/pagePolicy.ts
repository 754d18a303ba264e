import type { Request } from 'express';

/**
 * What a page may do beside loading its own files. `telephone`: it is the softphone; `holdsTelephone`: it embeds the
 * softphone, which has its own policy but may not use more than the page around it.
 */
export type PageRights = { frameAncestors: readonly string[]; telephone?: boolean; holdsTelephone?: boolean };

/** The security headers of a page. @param nonce of this answer; @param publicUrl as configured */
export function pagePolicy(request: Request, nonce: string, rights: PageRights, publicUrl: string | null): Record<string, string> {
  const { frameAncestors, telephone = false, holdsTelephone = false } = rights;
  const voice = telephone || holdsTelephone ? 'self' : '';
  return {
    'Content-Security-Policy': contentPolicy(request, nonce, rights, publicUrl),
    'Permissions-Policy': `microphone=(${voice}), autoplay=(${voice})`,
    // For browsers without frame-ancestors. It cannot name origins, so embeddable pages go without.
    ...(frameAncestors.includes("'none'") ? { 'X-Frame-Options': 'DENY' } : {}),
  };
}

/** Own files only. The PBX's address is the company's own and unknown before the agent logs in. */
function contentPolicy(request: Request, nonce: string, rights: PageRights, publicUrl: string | null): string {
  const { frameAncestors, telephone = false, holdsTelephone = false } = rights;
  const host = request.headers.host;
  // In some browsers `self` does not include WebSockets of the same host.
  const ownSockets = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  // For a PBX or SIP proxy on the agent's own machine.
  const sockets = ['wss:', 'ws://127.0.0.1:*', 'ws://localhost:*'];
  // The same hosts over HTTP: when the PBX cannot be reached, the page checks whether anything answers there.
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
