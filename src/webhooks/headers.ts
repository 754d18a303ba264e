/**
 * The headers of a request: those of Node (`request.headers`, Express and Fastify too), any record in any letter case
 * (`event.headers` of a function), or a web `Headers`.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** What of the headers has a meaning for a receiver. */
const names = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-signature',
  'x-service-signature-previous',
  'x-service-attempt',
] as const;
type HeaderName = (typeof names)[number];

/** Each header's values as they came, empty ones left out. */
export type HeaderValues = Record<HeaderName, string[]>;

/**
 * Finds the headers of a webhook among all of the request, in one pass.
 * @throws {TypeError} for what holds no headers
 */
export function readHeaders(headers: WebhookHeaders): HeaderValues {
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError('No headers: give verify the headers of the request, as your framework has them.');
  }
  const values: HeaderValues = {
    'webhook-id': [],
    'webhook-timestamp': [],
    'webhook-signature': [],
    'x-service-signature': [],
    'x-service-signature-previous': [],
    'x-service-attempt': [],
  };
  if (isGettable(headers)) {
    for (const name of names) values[name] = textsIn(headers.get(name));
    return values;
  }
  for (const [name, given] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (isKnown(lower)) values[lower].push(...textsIn(given));
  }
  return values;
}

function isGettable(headers: WebhookHeaders): headers is Extract<WebhookHeaders, { get: unknown }> {
  return typeof headers.get === 'function';
}

function isKnown(name: string): name is HeaderName {
  return (names as readonly string[]).includes(name);
}

/** From JavaScript anything may come: what is no text is no value. */
function textsIn(given: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
