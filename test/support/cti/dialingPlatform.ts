import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { FakeServer, type Heard } from '../http/fakeServer.ts';
import type { Sent } from './platforms.ts';

/** A call that a platform has begun for one of its agents. */
export type Dialed = { callId: string; agent: string; phone: string };

/**
 * A telephony platform on this machine that calls customers for its agents. It enforces log-in and form as the real one
 * does, by code of its own. An agent who talks already is refused as the real one refuses.
 */
export abstract class DialingPlatform extends FakeServer {
  abstract readonly connector: string;
  readonly dialed: Dialed[] = [];
  /** Its agents. */
  readonly agents = new Set<string>();
  /** Those whom it refuses now. */
  readonly busy = new Set<string>();
  /** What it calls the next call; null: as no call before. */
  nextCallId: string | null = null;
  /** The states that were asked for, in its own words; null: it takes none. */
  readonly states: { agent: string; state: string }[] | null = null;
  /** What a company's admin types in for dialing. */
  abstract readonly settings: Record<string, string>;
  /** Settings with which it lets nobody in. */
  abstract readonly wrongSettings: Record<string, string>;
  /** Agents' settings with which it lets nobody in. */
  readonly wrongAgentSettings: Record<string, string> = {};
  /** Whether its answer says what it calls the call. */
  readonly namesCalls: boolean = true;
  /** What it says of an agent whom it refuses. */
  abstract readonly words: RegExp;
  /** The WebSockets that are open. */
  readonly lines = new Set<WebSocket>();
  readonly #sockets = new WebSocketServer({ noServer: true });

  /** Whether a WebSocket may be had with that request; null: it may, else the status of the refusal. */
  protected refusalOf(_request: IncomingMessage): number | null {
    return 404;
  }

  /** Whether that is told at this line. */
  protected isToldAt(_line: WebSocket, _told: Sent): boolean {
    return false;
  }

  protected override upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    const status = this.refusalOf(request);
    if (status !== null)
      return void socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    this.#sockets.handleUpgrade(request, socket, head, (line) => {
      line.on('error', () => {});
      line.on('close', () => this.lines.delete(line));
      this.lines.add(line);
      this.opened(line, request);
    });
  }

  protected opened(_line: WebSocket, _request: IncomingMessage): void {
    // Most say nothing at first.
  }

  /** Tells at every line that is to hear it. @returns at how many */
  tell(told: Sent): number {
    const hearing = [...this.lines].filter((line) => this.isToldAt(line, told));
    for (const line of hearing) line.send(told.body);
    return hearing.length;
  }

  override async close(): Promise<void> {
    for (const line of this.lines) line.terminate();
    this.#sockets.close();
    await super.close();
  }

  /** What an agent of it logs in with; null: the company's account serves for all. */
  logInOf(_agent: string): Record<string, string> | null {
    return null;
  }

  /** Whether that request dials. */
  abstract isDial(request: Heard): boolean;
  /** Whether that request asks for a state. */
  isState(_request: Heard): boolean {
    return false;
  }

  /** Every token given so far is refused from now on. Does nothing where there are none. */
  abstract expireTokens(): void;
}
