import { z } from 'zod';
import { timestamp } from './values.ts';

/** Where a CRM sends its own webhooks, and how they are told from others'. */

const signer = z.enum(['provider', 'gateway', 'none']);

/** Of a provider, in the catalog. */
export const inboundAbility = z
  .object({
    signs: signer.meta({
      description:
        '`provider`: notices are signed with a secret of the CRM, which the admin enters here. ' +
        '`gateway`: they are signed with the secret that the gateway issues. `none`: they carry that secret',
    }),
  })
  .meta({ id: 'CrmInboundAbility' });

const url = z.string().meta({
  description: 'Without PUBLIC_URL only the path: put the address in front under which the CRM reaches the gateway',
});

/** An address as it is listed: its token was shown once. */
export const inboundView = z
  .object({
    provider: z.string(),
    url: url.meta({ description: 'With `…` in place of the token' }),
    issued_at: timestamp,
    last_received_at: timestamp.nullable().meta({ description: 'When the latest genuine notice came' }),
    signing_secret_set: z.boolean(),
    reads_records: z.boolean().meta({
      description:
        'Whether notices that carry an id alone can be read: only while the company is connected to that CRM. ' +
        'Otherwise they are dropped',
    }),
  })
  .meta({ id: 'CrmInbound' });
export type InboundView = z.infer<typeof inboundView>;

export const issueInboundRequest = z.strictObject({ provider: z.string().max(32) }).meta({ id: 'IssueCrmInbound' });

/** `token` and `secret` are shown this once. */
export const issuedInbound = z
  .object({
    provider: z.string(),
    url,
    token: z.string(),
    secret: z
      .string()
      .nullable()
      .meta({ description: 'What notices carry or are signed with; null: the CRM signs with a secret of its own' }),
  })
  .meta({ id: 'IssuedCrmInbound' });
export type IssuedInbound = z.infer<typeof issuedInbound>;

export const signingSecretRequest = z
  .strictObject({
    signing_secret: z
      .string()
      .min(1)
      .max(500)
      .nullable()
      .meta({ description: 'The secret with which the CRM signs; `null` forgets it, and nothing is taken any more' }),
  })
  .meta({ id: 'CrmSigningSecret' });

export const inboundList = z.array(inboundView);

/** Any: a wrong address is told from a right one by its token alone. */
export const inboundPath = z.object({ provider: z.string(), token: z.string() });
export const inboundProvider = z.object({ provider: z.string().max(32) });

/** What a CRM hears that has no words of its own for it. */
export const noticeTaken = z.object({}).meta({ id: 'NoticeTaken' });
