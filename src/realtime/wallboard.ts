import type { Wallboard } from '../ports/wallboard.ts';
import type { Io } from './io.ts';
import { supervisorsRoom } from './rooms.ts';

/** Broadcasts to the gateways where somebody watches. */
export function createWallboard(io: Io): Wallboard {
  return {
    callChanged: (companyId, call) => void io.to(supervisorsRoom(companyId)).emit('live_call_changed', call),
    clicksChanged: (companyId, tallies) => void io.to(supervisorsRoom(companyId)).emit('clicks_changed', { tallies }),
  };
}
