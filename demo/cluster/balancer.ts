import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startHaproxy } from './haproxy.ts';
import { startNodeBalancer } from './nodeBalancer.ts';
import { searchPath, type Placing } from './program.ts';

/** `haproxy`: as in production; `node`: a stand-in that needs nothing installed. */
export type BalancerKind = 'haproxy' | 'node';

export type BalancerOptions = Placing & {
  /** On 127.0.0.1; 0, the default: any free one. */
  port?: number;
};

/** What stands in front of the gateways. It looks at each one's /api/health every 500 ms: out after two failures. */
export interface Balancer {
  readonly kind: BalancerKind;
  /** Where callers reach the gateways. */
  readonly url: string;
  /** Of the process that does the work. */
  readonly pid: number;
  /** Whether it tells the gateways the callers' addresses (X-Forwarded-For), and keeps the requests of one long-polling connection together. */
  readonly speaksHttp: boolean;
  /** Puts a gateway that listens on this port of 127.0.0.1 into rotation. Names are letters and digits. */
  add(name: string, port: number): Promise<void>;
  /** The names of the gateways that get requests now. */
  inRotation(): Promise<string[]>;
  stop(): Promise<void>;
}

/** The most gateways behind one balancer. */
export const maxGateways = 32;

/** Starts a balancer with nobody behind it yet. Throws CommandError when HAProxy is wanted and not installed. */
export async function startBalancer(kind: BalancerKind, options: BalancerOptions = {}): Promise<Balancer> {
  return kind === 'haproxy' ? startHaproxy(options, maxGateways) : startNodeBalancer(options);
}

/** HAProxy where it is installed. */
export async function usualBalancer(): Promise<BalancerKind> {
  try {
    await promisify(execFile)('haproxy', ['-v'], { env: { PATH: searchPath } });
    return 'haproxy';
  } catch {
    return 'node';
  }
}
