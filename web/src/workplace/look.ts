import type { Softphone } from '../../../src/client/softphone.ts';
import type { VoiceTrouble } from '../phone/phone.ts';
import type { AwaitedRing } from './awaitedRing.ts';
import type { PhoneSlot } from './phoneSlot.ts';
import type { ProgressReports } from './progressReports.ts';
import { shownCall, shownPop } from './shownCall.ts';
import type { Voice } from './voice.ts';
import type { VoiceDesk } from './voiceDesk.ts';
import type { WorkplaceView } from './workplace.ts';

type Parts = { softphone: Softphone; desk: VoiceDesk; slot: PhoneSlot; reports: ProgressReports; awaited: AwaitedRing };

/**
 * What an agent sees of the parts of a workplace.
 * @param clockOffsetMs what the gateway's clock is ahead of this machine's
 */
export function look(
  { softphone, desk, slot, reports, awaited }: Parts,
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
    voiceTrouble: troubleOf(voice, clockOffsetMs),
    isHeld: voice?.isHeld ?? false,
    isHeldByOther: voice?.isHeldByOther ?? false,
    isRecovering: voice?.phase === 'recovering' || awaited.call !== null,
    isEngaged: voice !== null || reports.isBehind,
  };
}

function troubleOf(voice: Readonly<Voice> | null, clockOffsetMs: number): VoiceTrouble | null {
  const trouble = voice?.trouble ?? null;
  return trouble?.kind === 'silent' ? { ...trouble, since: trouble.since + clockOffsetMs } : trouble;
}
