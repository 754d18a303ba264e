import { z } from 'zod';

/**
 * What a token is asked for with, by what renews it or after a log-in (RFC 6749, RFC 7636),
 * where the app proves itself in the form.
 */
export const tokenForm = z.union([
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().min(1),
    client_id: z.string(),
    client_secret: z.string(),
  }),
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    code_verifier: z.string(),
    redirect_uri: z.url(),
    client_id: z.string(),
    client_secret: z.string(),
  }),
]);
