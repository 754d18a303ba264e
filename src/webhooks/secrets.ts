const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The signing key in each secret. A secret never appears in a message.
 * @param secret as Readyline showed it, or several
 * @throws {TypeError} without a secret, and for one that Readyline cannot have shown
 */
export function keysOf(secret: string | readonly string[]): Buffer[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new TypeError('No webhook secret: the list of secrets is empty.');
  return secrets.map(keyOf);
}

function keyOf(secret: unknown): Buffer {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('No webhook secret: give the text that Readyline showed. Is its environment variable set?');
  }
  const encoded = secret.slice(prefix.length);
  if (!secret.startsWith(prefix) || encoded === '' || !base64.test(encoded)) {
    throw new TypeError(
      `The webhook secret must be "${prefix}" and base64, all of it as Readyline showed it, without quotes and spaces. ` +
        'An API key (rlk_…) is no webhook secret.',
    );
  }
  return Buffer.from(encoded, 'base64');
}
