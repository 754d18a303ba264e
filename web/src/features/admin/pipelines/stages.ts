import type { PipelineView } from '../../../../../src/contract/pipelines.ts';
import type { DealState } from '../../../../../src/contract/vocabulary.ts';

/** A stage as its form has it. `key`: names it while it is edited; `id` null: it is new. */
export type StageValues = { key: string; id: string | null; name: string; outcome: DealState; probability: number };

/** The stages of a pipeline as their form begins. */
export function stageValues(pipeline: PipelineView): StageValues[] {
  return pipeline.stages.map((stage) => ({ ...stage, key: stage.id }));
}

/** Another stage, below the others. */
export function newStage(name = '', outcome: DealState = 'open', probability = 0): StageValues {
  return { key: crypto.randomUUID(), id: null, name, outcome, probability };
}

/** The same as the gateway takes it. */
export function stagesBody(stages: readonly StageValues[]) {
  return stages.map(({ id, name, outcome, probability }) => ({
    ...(id === null ? {} : { id }),
    name: name.trim(),
    outcome,
    probability,
  }));
}
