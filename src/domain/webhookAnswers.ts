import type { WebhookCause } from '../contract/causes.ts';

/** What the usual refusals of a webhook mean, and what to do about them. */
const meanings = {
  400: 'the receiver could not read the request; its log tells what it did not like about the body or a header',
  401:
    'it wants authentication, or its check of the signature failed; compare X-Service-Signature or webhook-signature ' +
    'with the current secret, over the raw body',
  403:
    'the receiver, or a firewall before it, refused the request; compare X-Service-Signature or webhook-signature ' +
    'with the current secret, over the raw body, and let the gateway through',
  404: 'nothing listens under that path; check the path of webhook_url',
  405: 'the address does not take POST; set webhook_url to the one that receives webhooks',
  407: 'a proxy before the receiver asks for credentials, which webhooks do not carry; let the gateway through',
  408: 'it gave up waiting for the request; the network or a proxy before the receiver may be slow',
  409:
    'it takes the event for a conflict; ' +
    'one that it has already should be answered with 2xx (X-Service-Delivery tells)',
  410: 'it wants no more webhooks from here, so the endpoint is disabled',
  411: 'it wants a Content-Length header, which was sent; a proxy before the receiver may have dropped it',
  413: 'the body was too large for it; raise the limit of the receiver or of the proxy before it to 1 MiB',
  415: 'it does not take application/json; let the receiver accept that content type',
  421: 'the server does not answer for that host name; check the host of webhook_url and the certificate there',
  422: 'it read the event and refused what it holds; the response body often tells which field',
  429:
    'too many requests for it; the next attempt waits as its Retry-After says, ' +
    'and webhook_max_in_flight can be lowered',
  500: 'the receiver failed on its side; its own log tells why',
  501: 'the receiver does not handle such requests; set webhook_url to the address that receives webhooks',
  502: 'a proxy got no usable answer from the receiver behind it; check that the receiver runs',
  503: 'the receiver is not available at the moment; the next attempt waits as its Retry-After says',
  504: 'a proxy waited too long for the receiver behind it; take the event in, answer 2xx, and work on it afterwards',
} as const;

/** Where a status has no meaning of its own here, its class has. */
const meaningsOfClasses = {
  1: 'it went over to another protocol, which webhooks do not speak',
  3: 'redirects are not followed; set webhook_url to the final URL',
  4: 'the receiver refused the request; its response body or its log tells why',
  5: 'the receiver, or a proxy before it, failed; its own log tells why',
} as const;

/**
 * Tells an integrator what a receiver's answer means and what to look at, in one sentence.
 * @param status any HTTP status but 2xx, which needs no explanation
 */
export function explainStatus(status: number): string {
  return `The endpoint answered ${String(status)}: ${meaningOf(status)}. Only 2xx counts as received.`;
}

function meaningOf(status: number): string {
  if (isUsual(status)) return meanings[status];
  const group = Math.floor(status / 100);
  return isGroup(group) ? meaningsOfClasses[group] : 'that is no status of HTTP';
}

/** The same as a code. */
export function causeOfStatus(status: number): WebhookCause {
  return { code: codeOfStatus(status), params: { status } };
}

function codeOfStatus(status: number): AnsweredCode {
  if (isUsual(status)) return `answered_${status}`;
  const group = Math.floor(status / 100);
  return isGroup(group) ? `answered_${group}xx` : 'answered_otherwise';
}

type AnsweredCode = Extract<WebhookCause['code'], `answered_${string}`>;

function isUsual(status: number): status is keyof typeof meanings {
  return Object.hasOwn(meanings, status);
}

function isGroup(group: number): group is keyof typeof meaningsOfClasses {
  return Object.hasOwn(meaningsOfClasses, group);
}
