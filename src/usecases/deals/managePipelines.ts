import type { CreatePipelineRequest, PipelineView, UpdatePipelineRequest } from '../../contract/pipelines.ts';
import type { Principal } from '../../domain/access.ts';
import type { Pipeline, Stage } from '../../domain/deals.ts';
import { type CompanyId, type PipelineId, type StageId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import type { KeyNeeds } from '../concurrency/idempotencyKey.ts';
import type { Services } from '../services.ts';
import { noSuchPipeline, pipelineView } from './dealViews.ts';

type Needs = Pick<Services, 'pipelines'>;
type Changing = Needs & Pick<Services, 'clock' | 'newId'>;

/** How many pipelines a company can have; the store holds to it. */
const maxPipelines = 100;

/**
 * Defines a pipeline with its stages.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function createPipeline(
  services: Changing & KeyNeeds,
  principal: Principal,
  body: CreatePipelineRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<PipelineView>>> {
  return createOnce(services, principal, { path: '/api/crm/pipelines', body, idempotencyKey }, (remember) =>
    make(services, principal.companyId, body, remember),
  );
}

async function make(
  { pipelines, clock, newId }: Changing,
  companyId: CompanyId,
  { name, position, stages }: CreatePipelineRequest,
  remember: Remember | undefined,
): Promise<Outcome<PipelineView>> {
  const known = stages.findIndex(({ id }) => id !== undefined);
  if (known !== -1) return noSuchStage(known);
  const at = new Date(clock.now());
  const made = stages.map((stage) => stageOf(stage, newId()));
  const pipeline: Pipeline = {
    companyId,
    id: toId<PipelineId>(newId()),
    name,
    position,
    stages: made,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const view = pipelineView(pipeline);
  switch (
    await pipelines.create(pipeline, maxPipelines, remember === undefined ? undefined : { ...remember, body: view })
  ) {
    case 'created':
      return ok(view);
    case 'too_many':
      return refuse('conflict', `A company has at most ${maxPipelines} pipelines.`, {
        cause: { code: 'too_many_pipelines', params: { max: maxPipelines } },
      });
    case 'not_written':
      return keyTakenOver;
  }
}

/** The company's pipelines, in their order. */
export async function listPipelines(
  { pipelines }: Needs,
  companyId: CompanyId,
): Promise<{ pipelines: PipelineView[] }> {
  return { pipelines: (await pipelines.list(companyId)).map(pipelineView) };
}

/** One pipeline. */
export async function readPipeline(
  { pipelines }: Needs,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<PipelineView>> {
  const found = await pipelines.find(companyId, toId(id));
  return found === null ? noSuchPipeline : ok(pipelineView(found));
}

/**
 * Changes a pipeline and its stages. A stage that has deals is not removed: they are moved first.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updatePipeline(
  { pipelines, clock, newId }: Changing,
  companyId: CompanyId,
  id: string,
  body: UpdatePipelineRequest,
  expected: number | null,
): Promise<Outcome<PipelineView>> {
  const before = await pipelines.find(companyId, toId(id));
  if (before === null) return noSuchPipeline;
  if (expected !== null && expected !== before.version) return changedMeanwhile(before.version);
  const unknown =
    body.stages?.findIndex(
      (stage) => stage.id !== undefined && !before.stages.some((each) => each.id === stage.id?.toLowerCase()),
    ) ?? -1;
  if (unknown !== -1) return noSuchStage(unknown);
  const stages = body.stages?.map((stage) => stageOf(stage, stage.id ?? newId())) ?? before.stages;
  const { name = before.name, position = before.position } = body;
  const after: Pipeline = {
    ...before,
    name,
    position,
    stages,
    version: before.version + 1,
    updatedAt: new Date(clock.now()),
  };
  const updated = await pipelines.update(after);
  if (updated === 'updated') return ok(pipelineView(after));
  if (updated === 'not_updated') return changedMeanwhile(before.version + 1);
  const stage = before.stages.find((each) => each.id === updated.stageId)?.name ?? '';
  return refuse('conflict', `The stage ${stage} has ${updated.count} deal(s). Move them before it is removed.`, {
    cause: { code: 'stage_has_deals', params: { stage, count: updated.count } },
  });
}

/** Removes a pipeline that has no deals. */
export async function removePipeline({ pipelines }: Needs, companyId: CompanyId, id: string): Promise<Outcome<null>> {
  switch (await pipelines.remove(companyId, toId(id))) {
    case 'removed':
      return ok(null);
    case 'missing':
      return noSuchPipeline;
    case 'has_deals':
      return refuse('conflict', 'The pipeline has deals. Move them before it is removed.', {
        cause: { code: 'pipeline_has_deals' },
      });
  }
}

/** A stage as a request defines it: where nothing else is said, what is won is certain. */
function stageOf({ name, outcome, probability }: CreatePipelineRequest['stages'][number], id: string): Stage {
  return { id: toId<StageId>(id), name, outcome, probability: probability ?? (outcome === 'won' ? 100 : 0) };
}

function changedMeanwhile(version: number): Refused {
  return refuse('conflict', 'The pipeline was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}

function noSuchStage(index: number): Refused {
  return refuse('invalid_request', 'The pipeline has no such stage.', {
    errors: [{ path: `stages.${index}.id`, message: 'is none of the pipeline', code: 'not_of_company' }],
  });
}
