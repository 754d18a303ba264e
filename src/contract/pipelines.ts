import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { optional, shortText, timestamp, uuid, withDefault } from './values.ts';
import { dealStates } from './vocabulary.ts';

/** Pipelines of the built-in CRM: the stages that deals go through, as an admin defines them. */

const stage = z.strictObject({
  id: optional(uuid).meta({ description: 'Of a stage that is there already; left out: a new one' }),
  name: shortText,
  outcome: withDefault(z.enum(dealStates), 'open').meta({ description: 'What a deal in it is' }),
  probability: optional(z.int().min(0).max(100)).meta({
    description: 'How likely a deal in it is won, in percent. Left out: 100 where it is won, otherwise 0',
  }),
});

const stages = z
  .array(stage)
  .min(1)
  .max(30)
  .refine((list) => list.some(({ outcome }) => outcome === 'open'), says('no_open_stage', 'need one that is open'))
  .refine(
    (list) => {
      const ids = list.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
      return new Set(ids).size === ids.length;
    },
    says('repeated', 'must not hold a stage twice'),
  );

const position = z.int().min(0).max(1_000);

export const createPipelineRequest = z
  .strictObject({
    name: shortText,
    position: withDefault(position, 0),
    stages: stages.meta({ description: 'In their order' }),
  })
  .meta({ id: 'CreatePipeline' });
export type CreatePipelineRequest = z.infer<typeof createPipelineRequest>;

export const updatePipelineRequest = z
  .strictObject({
    name: optional(shortText),
    position: optional(position),
    stages: optional(stages).meta({
      description:
        'All of them in their order. One that is left out is removed; ' +
        'while deals are in it, that is refused (`stage_has_deals`)',
    }),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdatePipeline' });
export type UpdatePipelineRequest = z.infer<typeof updatePipelineRequest>;

export const pipelineView = z
  .object({
    id: uuid,
    name: z.string(),
    position: z.int(),
    stages: z.array(z.object({ id: uuid, name: z.string(), outcome: z.enum(dealStates), probability: z.int() })),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Pipeline' });
export type PipelineView = z.infer<typeof pipelineView>;
export const pipelineList = z.object({ pipelines: z.array(pipelineView) }).meta({ id: 'PipelineList' });
