import type { CreateDealRequest, DealView } from '../../contract/deals.ts';
import type { Principal } from '../../domain/access.ts';
import type { ShownDeal } from '../../domain/deals.ts';
import { type DealId, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import { changedBy } from '../contacts/manageContacts.ts';
import type { Services } from '../services.ts';
import { type DealContent, type DealNeeds, notOfCompany, readContent, readStage } from './dealReferences.ts';
import { dealView, moveEvents } from './dealViews.ts';

const emptyContent: DealContent = {
  name: '',
  value: null,
  currency: null,
  owner: null,
  contact: null,
  contactId: null,
  organisation: null,
  expectedClose: null,
};

/**
 * Makes a deal: the caller's own where the request does not say whose. Its contact has to be shown to the caller.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function createDeal(
  services: DealNeeds & Pick<Services, 'idempotency' | 'retries'>,
  principal: Principal,
  body: CreateDealRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<DealView>>> {
  return createOnce(services, principal, { path: '/api/crm/deals', body, idempotencyKey }, (remember) =>
    make(services, principal, body, remember),
  );
}

async function make(
  services: DealNeeds,
  principal: Principal,
  body: CreateDealRequest,
  remember: Remember | undefined,
): Promise<Outcome<DealView>> {
  const { companyId } = principal;
  const place = await readStage(services, principal, body.stage_id);
  if (place.kind === 'refused') return place;
  const own =
    principal.kind === 'agent' && principal.role !== 'dialer' && body.owner_id === undefined
      ? { owner_id: principal.agentId }
      : {};
  const content = await readContent(services, principal, emptyContent, { ...body, ...own });
  if (content.kind === 'refused') return content;
  const at = new Date(services.clock.now());
  const { pipelineId, stage } = place.value;
  const deal: ShownDeal = {
    ...content.value,
    companyId,
    id: toId<DealId>(services.newId()),
    pipelineId,
    stage,
    version: 1,
    movedAt: at,
    createdAt: at,
    updatedAt: at,
  };
  const move = {
    id: services.newId(),
    at,
    by: changedBy(principal),
    from: null,
    to: { id: stage.id, name: stage.name },
  };
  const view = dealView(deal);
  const events = await moveEvents(services, deal, move);
  const written = await services.deals.create(
    deal,
    { move, entryId: services.newId(), events },
    remember === undefined ? undefined : { ...remember, body: view },
  );
  if (written === 'written') {
    if (events.length > 0) services.wakeDispatcher(companyId);
    return ok(view);
  }
  if (written === 'not_written') return keyTakenOver;
  return notOfCompany(written.field);
}
