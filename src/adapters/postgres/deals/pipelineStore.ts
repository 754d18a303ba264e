import type { Pipeline, Stage } from '../../../domain/deals.ts';
import type { CompanyId, PipelineId, StageId } from '../../../domain/ids.ts';
import type { PipelineStore } from '../../../ports/deals.ts';
import { rememberAnswer } from '../calls/idempotencyStore.ts';
import type { Pipeline as StoredPipeline, PipelineStage as StoredStage } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { brokenReference } from '../postgresErrors.ts';

const withStages = { stages: { orderBy: { position: 'asc' } } } as const;

/** Pipelines of the built-in CRM in PostgreSQL. */
export function createPipelineStore({ prisma }: Pick<StoreParts, 'prisma'>): PipelineStore {
  return {
    async create({ stages, ...pipeline }, atMost, remember) {
      const { companyId } = pipeline;
      return prisma.$transaction(async (tx) => {
        if ((await tx.pipeline.count({ where: { companyId } })) >= atMost) return 'too_many';
        if (remember !== undefined && !(await rememberAnswer(tx, companyId, remember))) return 'not_written';
        await tx.pipeline.create({
          data: { ...pipeline, stages: { create: stages.map((stage, position) => ({ ...stage, position })) } },
        });
        return 'created';
      });
    },

    async find(companyId, id) {
      const row = await prisma.pipeline.findUnique({ where: { companyId_id: { companyId, id } }, include: withStages });
      return row === null ? null : readPipeline(row);
    },

    async list(companyId) {
      const rows = await prisma.pipeline.findMany({
        where: { companyId },
        include: withStages,
        orderBy: [{ position: 'asc' }, { id: 'asc' }],
      });
      return rows.map(readPipeline);
    },

    async findStage(companyId, id) {
      const row = await prisma.pipelineStage.findFirst({ where: { companyId, id } });
      return row === null ? null : { pipelineId: row.pipelineId as PipelineId, stage: readStage(row) };
    },

    async update({ companyId, id, stages, version, name, position, updatedAt }) {
      const kept = { companyId, pipelineId: id, id: { notIn: stages.map((stage) => stage.id) } };
      try {
        return await prisma.$transaction(async (tx) => {
          const { count } = await tx.pipeline.updateMany({
            where: { companyId, id, version: version - 1 },
            data: { name, position, version, updatedAt },
          });
          if (count === 0) return 'not_updated';
          await tx.pipelineStage.deleteMany({ where: kept });
          for (const [place, { id: stageId, ...stage }] of stages.entries()) {
            const where = { companyId_pipelineId_id: { companyId, pipelineId: id, id: stageId } };
            const data = { ...stage, position: place };
            await tx.pipelineStage.upsert({
              where,
              create: { ...data, companyId, pipelineId: id, id: stageId },
              update: data,
            });
          }
          return 'updated';
        });
      } catch (error) {
        // A deal refers to what was to be removed.
        if (brokenReference(error) === null) throw error;
        const [full] = await prisma.deal.groupBy({
          by: ['stageId'],
          where: { companyId, pipelineId: id, stageId: kept.id },
          _count: true,
        });
        return full === undefined
          ? 'not_updated'
          : { kind: 'has_deals', stageId: full.stageId as StageId, count: full._count };
      }
    },

    async remove(companyId, id) {
      try {
        return (await prisma.pipeline.deleteMany({ where: { companyId, id } })).count > 0 ? 'removed' : 'missing';
      } catch (error) {
        if (brokenReference(error) !== null) return 'has_deals';
        throw error;
      }
    },
  };
}

function readPipeline({ stages, ...row }: StoredPipeline & { stages: StoredStage[] }): Pipeline {
  return { ...row, companyId: row.companyId as CompanyId, id: row.id as PipelineId, stages: stages.map(readStage) };
}

function readStage({ id, name, outcome, probability }: StoredStage): Stage {
  return { id: id as StageId, name, outcome: outcome as Stage['outcome'], probability };
}
