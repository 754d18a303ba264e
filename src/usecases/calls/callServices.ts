import type { Services } from '../services.ts';

/** What it takes to change a call together with its agent, and to tell everybody of it. */
export type CallServices = Pick<
  Services,
  | 'agentCard'
  | 'calls'
  | 'clock'
  | 'dialsUnderWay'
  | 'idempotency'
  | 'newId'
  | 'observer'
  | 'presence'
  | 'retries'
  | 'settings'
  | 'softphones'
  | 'wakeDispatcher'
>;
