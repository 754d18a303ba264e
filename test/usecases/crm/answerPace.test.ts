import { expect, it } from 'vitest';
import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import { createKeyedMutex } from '../../../src/usecases/concurrency/keyedMutex.ts';
import { createAnswerPace } from '../../../src/usecases/crm/answerPace.ts';

const [ours, theirs] = ['01a210dd-a630-73ec-ac0d-000000000001', '01a210dd-a630-73ec-ac0d-000000000002'].map((id) =>
  toId<CompanyId>(id),
) as [CompanyId, CompanyId];
const mib = 1_048_576;

it('has one long answer of a company read at a time, while short ones and those of others are read meanwhile', async () => {
  const pace = createAnswerPace(createKeyedMutex());
  const order: string[] = [];
  const read = (name: string, companyId: CompanyId, length: number) =>
    pace(companyId, length).then(() => order.push(name));
  await Promise.all([
    read('first long', ours, mib),
    read('second long', ours, mib),
    read('third long', ours, mib),
    read('short', ours, 60_000),
    read('theirs', theirs, mib),
  ]);
  expect(order[0]).toBe('short');
  expect(order.slice(1, 3).toSorted()).toEqual(['first long', 'theirs']);
  expect(order.slice(3)).toEqual(['second long', 'third long']);
});
