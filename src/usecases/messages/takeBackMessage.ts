import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchMessage, sendersShownTo } from './messageViews.ts';

/** Takes a message off the screens of all who have not read it. Doing so again changes nothing. */
export async function takeBackMessage(
  { clock, messages, softphones }: Pick<Services, 'clock' | 'messages' | 'softphones'>,
  principal: Principal,
  id: string,
): Promise<Outcome<null>> {
  const { companyId } = principal;
  if (!(await messages.takeBack(companyId, sendersShownTo(principal), toId(id), new Date(clock.now()))))
    return noSuchMessage;
  softphones.messagesChanged(companyId);
  return ok(null);
}
