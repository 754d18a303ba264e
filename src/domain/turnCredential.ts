import { createHmac } from 'node:crypto';

/**
 * For how long a made credential lets a browser in, in seconds: a shift. TURN servers look at the time when a
 * connection to them begins, as coturn does, or at every request; softphones ask anew at half of it, so a call begins
 * with 6 h. draft-uberti-behave-turn-rest-00 recommends a day; who has left with one has it for less here.
 */
export const turnCredentialSeconds = 12 * 60 * 60;

export type TurnCredential = { username: string; credential: string; expires_at: string };

/**
 * A user and a password of a TURN server that shares a secret with the gateway: coturn's `use-auth-secret`, as
 * draft-uberti-behave-turn-rest-00 has it. The server reads the end out of the user's name, and keeps nothing.
 * @param holder who uses it, for the server's log
 * @param now milliseconds since the epoch
 */
export function turnCredentialOf(secret: string, holder: string, now: number): TurnCredential {
  const expires = Math.floor(now / 1000) + turnCredentialSeconds;
  const username = `${String(expires)}:${holder}`;
  return {
    username,
    credential: createHmac('sha1', secret).update(username).digest('base64'),
    expires_at: new Date(expires * 1000).toISOString(),
  };
}
