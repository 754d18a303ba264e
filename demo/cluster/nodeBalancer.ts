import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { CommandError } from '../commandLine.ts';
import type { Balancer, BalancerOptions } from './balancer.ts';

type Member = { name: string; port: number; failures: number };

const checkEveryMs = 500;
const checkPatienceMs = 1_000;
const failuresToLeave = 2;

/**
 * A balancer in this very process: hands whole TCP connections to one gateway after the other. It reads nothing of
 * what passes, so gateways see its address as the callers', and only WebSockets are served, not long polling.
 */
export async function startNodeBalancer({ port = 0 }: BalancerOptions): Promise<Balancer> {
  const members: Member[] = [];
  const lines = new Set<Socket>();
  let turn = 0;
  /** Those in rotation, whose turn it is first. */
  const inTurn = () => {
    const able = members.filter(({ failures }) => failures < failuresToLeave);
    turn += 1;
    return able.map((_, index) => able[(turn + index) % able.length]).filter((member) => member !== undefined);
  };
  const keep = (line: Socket) => {
    lines.add(line);
    line.once('close', () => lines.delete(line));
  };
  const server = createServer((caller) => {
    keep(caller);
    void join(caller, inTurn(), keep);
  });
  const url = await listen(server, port);
  const checks = new Agent({ connections: 1, pipelining: 0 });
  const timer = setInterval(() => void Promise.all(members.map((member) => check(member, checks))), checkEveryMs);
  return {
    kind: 'node',
    speaksHttp: false,
    url,
    pid: process.pid,
    add: (name, memberPort) => {
      members.push({ name, port: memberPort, failures: 0 });
      return Promise.resolve();
    },
    inRotation: () => Promise.resolve(members.filter(({ failures }) => failures < failuresToLeave).map(({ name }) => name)),
    async stop() {
      clearInterval(timer);
      await checks.destroy();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const line of lines) line.destroy();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(`Cannot listen on port ${port}: ${error.message}`)));
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function check(member: Member, dispatcher: Agent): Promise<void> {
  try {
    const signal = AbortSignal.timeout(checkPatienceMs);
    const { statusCode, body } = await request(`http://127.0.0.1:${member.port}/api/health`, { dispatcher, signal });
    await body.dump();
    member.failures = statusCode === 200 ? 0 : member.failures + 1;
  } catch {
    member.failures += 1;
  }
}

/** Joins the caller with the first gateway that takes the connection. */
async function join(caller: Socket, members: readonly Member[], keep: (line: Socket) => void): Promise<void> {
  caller.on('error', () => caller.destroy());
  caller.pause();
  for (const member of members) {
    const gateway = await reach(member.port);
    if (gateway === null) continue;
    keep(gateway);
    // Whoever breaks off does so for the other one, too.
    gateway.on('error', () => gateway.destroy());
    gateway.once('close', () => caller.destroy());
    caller.once('close', () => gateway.destroy());
    if (caller.destroyed) gateway.destroy();
    caller.pipe(gateway);
    gateway.pipe(caller);
    return;
  }
  caller.destroy();
}

/** Null: it refuses, or does not answer within two seconds. */
function reach(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false });
    const give = (reached: Socket | null) => {
      clearTimeout(timer);
      if (reached === null) socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(() => give(null), 2_000);
    socket.once('connect', () => give(socket));
    socket.once('error', () => give(null));
  });
}
