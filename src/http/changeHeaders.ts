import { z } from 'zod';
import { idempotencyKey } from '../contract/clickToDial.ts';
import type { Refused, Outcome } from '../domain/outcome.ts';
import type { Created } from '../usecases/concurrency/createOnce.ts';
import { reply, replyAsWritten, type Reply } from './route.ts';

/** Headers of requests that make something. */
export const creating = z.object({
  'idempotency-key': idempotencyKey
    .optional()
    .meta({ description: 'Kept for 24 h per company: the same key and body get the first answer again' }),
});

/** Of an answer to them. */
export const replayHeaders = {
  'Idempotent-Replay': '`true` when this is the first answer under this key, given again',
};

/** What was made, or the first answer under its key, given again. */
export function replyCreated<T>(created: Outcome<Created<T>>): Reply<201, T> | Refused {
  if (created.kind === 'refused') return created;
  return created.value.replayed
    ? replyAsWritten(201, created.value.answer, { 'Idempotent-Replay': 'true' })
    : reply(201, created.value.made);
}

/** Headers of requests that change something which has a version. */
export const changing = z.object({
  'if-match': z
    .string()
    .regex(/^(?:W\/)?"?\d{1,9}"?$/)
    .optional()
    .meta({ description: 'The `version` that was read; another one now is refused', examples: ['"3"'] }),
});

/** The version that a change is based on, by its header or its body. Null: whatever it is. */
export function expectedVersion(
  headers: z.infer<typeof changing>,
  body: { version?: number | undefined },
): number | null {
  const inHeader = headers['if-match']?.match(/\d+/)?.[0];
  return inHeader === undefined ? (body.version ?? null) : Number(inHeader);
}
