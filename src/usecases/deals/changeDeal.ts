import type { DealView, UpdateDealRequest } from '../../contract/deals.ts';
import type { Principal } from '../../domain/access.ts';
import type { ShownDeal } from '../../domain/deals.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { inTurn } from '../concurrency/inTurn.ts';
import { changedBy } from '../contacts/manageContacts.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';
import { type DealNeeds, notOfCompany, readContent, readStage } from './dealReferences.ts';
import { dealView, moveEvents, noSuchDeal } from './dealViews.ts';

/**
 * Changes or moves a deal; a move stands in its history and on its contact's timeline.
 * A change of nothing leaves it as it is.
 * @param expected the version that the caller has read: where it is another one now,
 * it is refused with the deal as it is now. Null: whatever it is
 */
export async function changeDeal(
  services: DealNeeds & Pick<Services, 'turns'>,
  principal: Principal,
  id: string,
  body: UpdateDealRequest,
  expected: number | null,
): Promise<Outcome<DealView>> {
  const { companyId } = principal;
  const scope = await scopeOf(services, principal);
  let latest: ShownDeal | null = null;
  const done = await inTurn<Outcome<DealView>>(services.turns, `deal ${companyId} ${id}`, async () => {
    const before = await services.deals.find(companyId, scope, toId(id));
    if (before === null) return noSuchDeal;
    latest = before;
    if (expected !== null && expected !== before.version) return changedMeanwhile(before);
    const place = body.stage_id === undefined ? ok(before) : await readStage(services, principal, body.stage_id);
    if (place.kind === 'refused') return place;
    const content = await readContent(services, principal, before, body);
    if (content.kind === 'refused') return content;
    const at = new Date(services.clock.now());
    const { pipelineId, stage } = place.value;
    const isMoved = stage.id !== before.stage.id;
    const changed: ShownDeal = { ...before, ...content.value, pipelineId, stage };
    if (JSON.stringify(changed) === JSON.stringify(before)) return ok(dealView(before));
    const after: ShownDeal = {
      ...changed,
      version: before.version + 1,
      movedAt: isMoved ? at : before.movedAt,
      updatedAt: at,
    };
    const [from, to] = [before.stage, stage].map((each) => ({ id: each.id, name: each.name })) as [
      ShownDeal['stage'],
      ShownDeal['stage'],
    ];
    const move = isMoved ? { id: services.newId(), at, by: changedBy(principal), from, to } : null;
    const events = move === null ? [] : await moveEvents(services, after, move);
    const written = await services.deals.update(after, { move, entryId: services.newId(), events });
    if (written === 'written') {
      if (events.length > 0) services.wakeDispatcher(companyId);
      return ok(dealView(after));
    }
    return written === 'not_written' ? null : notOfCompany(written.field);
  });
  return done ?? (latest === null ? noSuchDeal : changedMeanwhile(latest));
}

function changedMeanwhile(deal: ShownDeal) {
  const { version, pipelineId, stage } = deal;
  return refuse(
    'conflict',
    `The deal was changed meanwhile; it is in the stage ${stage.name}, at version ${version} now.`,
    {
      cause: {
        code: 'deal_changed_meanwhile',
        params: { version, pipeline_id: pipelineId, stage_id: stage.id, stage: stage.name },
      },
      deal: dealView(deal),
    },
  );
}
