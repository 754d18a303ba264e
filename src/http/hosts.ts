import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isLocalHost } from '../domain/access.ts';
import { refuse } from '../domain/outcome.ts';
import { sendProblem } from './answers.ts';

/** RFC 3986: a name, an IPv4 address or a bracketed IP literal, with an optional port. */
const hostForm = /^(?:\[[\w:.%~-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-F]{2})+)(?::\d{0,5})?$/i;

/**
 * What is wrong with a request's `Host` (RFC 9112, section 3.2), or null.
 * Two are refused, because a proxy might use the one and the gateway the other.
 */
export function hostFault({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return 'it has more than one Host';
  if (count === 0) return httpVersion === '1.0' ? null : 'it has no Host';
  return hostForm.test(headers.host ?? '') ? null : 'its Host is not valid';
}

/** A local gateway answers only to local names, against DNS rebinding: see `isLocalHost`. */
export const refuseForeignHosts: RequestHandler = (request, response, next) => {
  if (isLocalHost(request.headers.host)) return next();
  sendProblem(
    response,
    refuse(
      'invalid_request',
      'This gateway answers to 127.0.0.1 and localhost alone; for other names set PUBLIC_URL.',
      { cause: { code: 'wrong_host_name' } },
    ),
  );
};
