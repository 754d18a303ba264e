import type { ReactElement } from 'react';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { SessionSettings } from '../../../src/contract/telephony.ts';
import type { CallSummary } from '../../../src/contract/calls.ts';
import { WorkplaceContext } from '../../../web/src/features/workplace/workplaceContext.ts';
import type { DialOptions, Workplace, WorkplaceView } from '../../../web/src/features/workplace/workplace.ts';
import { agentView, dialingCall } from '../gateway/fakeGateway.ts';
import { show, type ShownPage } from './page.tsx';

/** A call that was answered and is over. */
export function endedCall(changes: Partial<CallSummary> = {}): CallSummary {
  const moment = new Date().toISOString();
  const over = {
    state: 'ended',
    end_reason: 'completed',
    answered_at: moment,
    ended_at: moment,
    customer_name: 'Grace Hopper',
  } as const;
  return { ...dialingCall('5d1a2f0c-0000-4000-8000-000000000001'), ...over, ...changes };
}

/** Settings of a company that has set nothing but these. */
export function sessionSettings(changes: Partial<SessionSettings> = {}): SessionSettings {
  const none = {
    dispositions: [],
    not_ready_reasons: [],
    wrap_up_seconds: 30,
    wrap_up_max_seconds: 600,
    telephony: { mode: 'desk_phone', tel_template: null },
  };
  return { ...none, ...changes } as unknown as SessionSettings;
}

type Softphone = ShownPage & {
  /** What was told to the agent as having failed. */
  failures: unknown[];
  /** Shows the same with the agent or the settings changed. */
  become: (changes: { agent?: Partial<AgentStateView>; view?: Partial<WorkplaceView> }) => void;
};

/**
 * Shows a part of the softphone. @param workplace what the part may do; anything else fails the test.
 * @param agent of whom, Ready unless said otherwise
 */
export function showInSoftphone(
  part: ReactElement,
  {
    workplace = {},
    agent = {},
    view = {},
  }: { workplace?: Partial<Workplace>; agent?: Partial<AgentStateView>; view?: Partial<WorkplaceView> },
): Softphone {
  const failures: unknown[] = [];
  let now: WorkplaceView = {
    line: 'connected',
    refusal: null,
    call: null,
    other: null,
    settings: sessionSettings(),
    ...view,
    agent: agentView(agent),
  } as WorkplaceView;
  const doubles = new Proxy({ now: () => Date.now(), ...workplace } as Workplace, {
    get: (given, name) =>
      name in given
        ? Reflect.get(given, name)
        : () => Promise.reject(new Error(`${String(name)} is no part of this test`)),
  });
  const run = (what: (options: DialOptions) => Promise<unknown>) =>
    void what({}).catch((error: unknown) => failures.push(error));
  const page = show(part, (inner) => (
    <WorkplaceContext value={{ workplace: doubles, view: now, agentId: agentView().agent_id, run }}>
      {inner}
    </WorkplaceContext>
  ));
  return Object.assign(page, {
    failures,
    become: (changes: { agent?: Partial<AgentStateView>; view?: Partial<WorkplaceView> }) => {
      now = { ...now, ...changes.view, agent: { ...now.agent!, ...changes.agent } };
      page.change(part);
    },
  });
}
