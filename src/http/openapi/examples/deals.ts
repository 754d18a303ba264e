import { ada, contactId, endedAt, grace } from './story.ts';

const made = '2026-11-02T08:30:00.000Z';
const stage = (id: string, name: string, outcome: string, probability: number) => ({ id, name, outcome, probability });
const isNew = stage('01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f60', 'New', 'open', 10);
const offered = stage('01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f61', 'Offer sent', 'open', 50);
const won = stage('01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f62', 'Won', 'won', 100);
const lost = stage('01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f63', 'Lost', 'lost', 0);

const pipeline = {
  id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f64',
  name: 'Sales',
  position: 0,
  stages: [isNew, offered, won, lost],
  version: 1,
  created_at: made,
  updated_at: made,
};

/** How a stage is told to the service when it is new. */
const asNew = ({ name, outcome, probability }: typeof isNew) => ({ name, outcome, probability });

const deal = {
  id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d20',
  name: '50 licences',
  pipeline_id: pipeline.id,
  stage: isNew,
  value: '12500.5',
  currency: 'EUR',
  owner: { id: ada.id, name: ada.name },
  contact: { id: contactId, name: grace.name },
  organisation: null,
  expected_close: '2026-12-18',
  version: 1,
  moved_at: made,
  created_at: made,
  updated_at: made,
};
const moved = { ...deal, stage: offered, version: 2, moved_at: endedAt, updated_at: endedAt };
const by = { id: ada.id, name: ada.name };
const [from, to] = [isNew, offered].map(({ id, name }) => ({ id, name }));

/** Deals and pipelines of the built-in CRM. */
export const dealExamples = {
  listPipelines: { answer: { pipelines: [pipeline] } },
  createPipeline: { body: { name: pipeline.name, stages: pipeline.stages.map(asNew) }, answer: pipeline },
  readPipeline: { answer: pipeline },
  updatePipeline: {
    body: { name: 'New business' },
    answer: { ...pipeline, name: 'New business', version: 2, updated_at: endedAt },
  },
  readDealBoard: {
    answer: {
      pipeline_id: pipeline.id,
      stages: pipeline.stages.map((each) => ({
        ...each,
        count: each === isNew ? 1 : 0,
        sums: each === isNew ? [{ currency: 'EUR', value: deal.value }] : [],
        deals: each === isNew ? [deal] : [],
        next_cursor: null,
      })),
    },
  },
  listDeals: { answer: { deals: [deal], next_cursor: null } },
  createDeal: {
    body: {
      name: deal.name,
      stage_id: isNew.id,
      value: '12500.50',
      currency: 'EUR',
      contact_id: contactId,
      expected_close: deal.expected_close,
    },
    answer: deal,
  },
  readDeal: { answer: deal },
  updateDeal: { body: { stage_id: offered.id, version: 1 }, answer: moved },
  listDealMoves: {
    answer: {
      moves: [
        { id: '01a1fe00-2b10-7a31-9c4d-1e2f3a4b5c70', at: endedAt, by, from, to },
        { id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d21', at: made, by, from: null, to: from },
      ],
      next_cursor: null,
    },
  },
};
