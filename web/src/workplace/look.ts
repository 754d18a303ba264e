import type { Softphone } from '../../../src/client/softphone.ts';
import type { PhoneSlot } from './phoneSlot.ts';
import type { ProgressReports } from './progressReports.ts';
import { shownCall, shownPop } from './shownCall.ts';
import type { VoiceDesk } from './voiceDesk.ts';
import type { WorkplaceView } from './workplace.ts';

type Parts = { softphone: Softphone; desk: VoiceDesk; slot: PhoneSlot; reports: ProgressReports };

/**
 * What an agent sees of the parts of a workplace.
 * @param clockOffsetMs what the gateway's clock is ahead of this machine's
 */
export function look(
  { softphone, desk, slot, reports }: Parts,
  told: Pick<WorkplaceView, 'refusal' | 'notice'>,
  clockOffsetMs: number,
): WorkplaceView {
  const { agent, call, pop, line } = softphone;
  const { voice } = desk;
  const shown = shownCall({ call, voice, agent, reports, clockOffsetMs });
  return {
    ...told,
    line,
    agent,
    settings: slot.settings,
    call: shown,
    pop: shownPop(pop, voice?.record ?? call, voice, agent),
    phone: slot.line,
    can: slot.can,
    caller: voice?.phase === 'incoming' ? voice.caller : null,
    isAnswering: voice?.phase === 'incoming' && voice.isAnswering,
    isMuted: voice?.isMuted ?? false,
    isHeld: voice?.isHeld ?? false,
    isRecovering: voice?.phase === 'recovering',
    isEngaged: voice !== null || reports.isBehind,
  };
}
