import type { Plan } from '../plan.ts';
import { startGateways } from '../room/clickStacks.ts';
import type { CaseRoom } from '../room/room.ts';
import { forgetCommands, readCommands } from './commands.ts';
import { type Entry, traceTable } from './entries.ts';
import { forgetStatements, readStatements } from './statements.ts';
import { systemCallsDuring } from './systemCalls.ts';

const places = { 'same gateway': 0, 'other gateway': 1 } as const;

/**
 * What one call takes from click to wrap-up: its statements, commands, frames and system calls. Counts do not depend on
 * the machine; the times beside them do.
 */
export async function traceCalls(room: CaseRoom, plan: Plan): Promise<string> {
  const stack = await startGateways(room, plan, 2);
  const clicks = (server: number) =>
    stack.softphones.ask('clickInTurn', { ...stack.clickerAt(server), count: plan.idleClicks });
  const found: Record<string, Entry[]> = {};
  for (const [name, server] of Object.entries(places)) {
    // Prepared statements, and what is read once.
    await clicks(server);
    await stack.softphones.ask('framesSoFar', undefined);
    await forgetStatements(room.pool);
    await forgetCommands(room.redis);
    await clicks(server);
    const commands = await readCommands(room.redis);
    const statements = await readStatements(room.pool);
    const frames = Object.entries(await stack.softphones.ask('framesSoFar', undefined)).map(([what, times]): Entry => ({
      kind: 'frame',
      what,
      times,
      each: '',
    }));
    const systemCalls = await systemCallsDuring(stack.pids, () => clicks(server));
    found[name] = [...statements, ...commands, ...frames, ...systemCalls];
  }
  return traceTable(found, plan.idleClicks);
}
