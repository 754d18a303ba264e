import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { cursorQuery, timestamp, uuid, withDefault } from './values.ts';
import { messageAudiences } from './vocabulary.ts';

/** What supervisors write to agents, which their softphones show. */

const recipient = z
  .union(
    [z.literal('everybody'), z.strictObject({ agent_id: uuid }), z.strictObject({ team_id: uuid })],
    says('not_a_recipient', 'must be "everybody", {"agent_id": "…"} or {"team_id": "…"}'),
  )
  .meta({
    description:
      'One agent, all who are in a team, or all agents, supervisors and admins of the company, as it is at this moment',
  });

export const writeMessageRequest = z
  .strictObject({
    text: z
      .string()
      .trim()
      .regex(/\S/, says('required', 'must not be empty'))
      .max(1_000)
      .meta({ description: 'May have several lines' }),
    to: recipient,
    valid_minutes: withDefault(z.int().min(5).max(10_080), 720).meta({
      description:
        'For how long it is shown to those who have not read it, also to those who sign in later. 12 hours by default',
    }),
  })
  .meta({ id: 'WriteMessage' });
export type WriteMessageRequest = z.infer<typeof writeMessageRequest>;

const audience = z.object({
  kind: z.enum(messageAudiences),
  id: uuid.nullable().meta({ description: 'The agent’s or the team’s' }),
  name: z.string().nullable().meta({ description: 'What it was called then' }),
});
/** What a softphone shows, and what is told about it. */
const told = {
  id: uuid,
  from: z.object({ id: uuid, name: z.string() }),
  to: audience,
  text: z.string(),
  created_at: timestamp,
  expires_at: timestamp.meta({ description: 'From then on it is shown to nobody' }),
};

/** A message as a softphone gets it. */
export const messageNotice = z.object(told);
export type MessageNotice = z.infer<typeof messageNotice>;

export const messageView = z
  .object({
    ...told,
    taken_back_at: timestamp.nullable(),
    readers: z.int().meta({ description: 'For how many it is. Who left without having read it is not counted' }),
    read: z.int().meta({ description: 'How many of them have read it' }),
  })
  .meta({ id: 'Message' });
export type MessageView = z.infer<typeof messageView>;

export const listMessagesQuery = z.strictObject({
  ...cursorQuery,
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ListMessagesQuery = z.infer<typeof listMessagesQuery>;
export const messageList = z
  .object({ messages: z.array(messageView), next_cursor: uuid.nullable() })
  .meta({ id: 'MessageList' });
export type MessageList = z.infer<typeof messageList>;

export const listReadersQuery = z.strictObject({
  ...cursorQuery,
  read: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Those who have read it, or who have not. Left out: all' }),
});
export type ListReadersQuery = z.infer<typeof listReadersQuery>;
export const messageReaders = z
  .object({
    readers: z.array(
      z.object({
        id: uuid,
        name: z.string(),
        agent_code: z.string(),
        read_at: timestamp.nullable().meta({ description: 'Null: not yet' }),
      }),
    ),
    next_cursor: uuid.nullable(),
  })
  .meta({ id: 'MessageReaders' });
export type MessageReaders = z.infer<typeof messageReaders>;
