import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createCarrier, type Carrier } from '../../../src/demo/carrier/carrier.ts';
import { openSipWebSocket, type SipWebSocketNeeds } from '../../../src/demo/carrier/sipWebSocket.ts';
import type { Media, OpenMedia } from '../../../src/demo/carrier/media.ts';
import { handleUpgrades, type UpgradeHandler } from '../../../src/http/upgradeHandler.ts';
import { toId, type AgentId, type CompanyId } from '../../../src/domain/ids.ts';
import { createManualClock, type ManualClock } from '../../support/time/manualClock.ts';
import { eventually } from '../../support/time/waiting.ts';
import { offerSdp, SipTelephone, type SaidRequest } from '../../support/sip/sipTelephone.ts';

const companyId = toId<CompanyId>('0190a000-0000-7000-8000-000000000001');
export const ada = toId<AgentId>('0190a000-0000-7000-8000-0000000000a1');
export const ben = toId<AgentId>('0190a000-0000-7000-8000-0000000000a2');

/** Media that hears nothing: it tells the SIP apart from the audio. */
export class SilentMedia implements Media {
  readonly offers: string[] = [];
  /** Whose telephone hears this one; null: its own. */
  leadsTo: Media | null = null;
  /** Sends back what it hears in the other voice. */
  isHigh = false;
  isClosed = false;

  async answer(offer: string): Promise<string> {
    if (offer.includes('a=nonsense')) throw new Error('nobody understands that');
    this.offers.push(offer);
    return offerSdp;
  }

  async offer(): Promise<string> {
    return offerSdp;
  }

  async accept(): Promise<void> {}

  leadTo(other: Media | null, isHigh: boolean): void {
    this.leadsTo = other;
    this.isHigh = isHigh;
  }

  send(): void {}

  close(): void {
    this.isClosed = true;
  }
}

/** A call that was answered and acknowledged. */
export type AnsweredCall = { invite: SaidRequest; to: string; toTag: string };

export class CarrierRoom {
  readonly carrier: Carrier;
  readonly clock: ManualClock;
  readonly server: Server;
  readonly upgradeHandler: UpgradeHandler;
  readonly medias: SilentMedia[];
  readonly problems: unknown[];
  /** Lines that the carrier knows to be closed. */
  readonly lost: { count: number };
  /** Of the carrier's WebSocket. */
  readonly url: string;

  private constructor(
    needs: Pick<CarrierRoom, 'carrier' | 'clock' | 'server' | 'upgradeHandler' | 'medias' | 'problems' | 'lost'>,
  ) {
    this.carrier = needs.carrier;
    this.clock = needs.clock;
    this.server = needs.server;
    this.upgradeHandler = needs.upgradeHandler;
    this.medias = needs.medias;
    this.problems = needs.problems;
    this.lost = needs.lost;
    this.url = `ws://127.0.0.1:${(needs.server.address() as AddressInfo).port}/demo/sip`;
  }

  /** A carrier behind a server of its own, closed with the test. */
  static async open(
    options: { openMedia?: OpenMedia; maxCalls?: number; before?: (server: Server) => void } & Partial<
      Omit<SipWebSocketNeeds, 'upgradeHandler' | 'carrier'>
    > = {},
  ): Promise<CarrierRoom> {
    const { openMedia, maxCalls, before, ...door } = options;
    const clock = createManualClock(Date.UTC(2026, 10, 21));
    const medias: SilentMedia[] = [];
    const problems: unknown[] = [];
    const silent = async () => {
      const media = new SilentMedia();
      medias.push(media);
      return media;
    };
    const carrier = createCarrier({
      clock,
      openMedia: openMedia ?? silent,
      onProblem: (_message, error) => void problems.push(error),
      ...(maxCalls === undefined ? {} : { maxCalls }),
    });
    const server = createServer();
    before?.(server);
    const lost = { count: 0 };
    const watched: Carrier = {
      ...carrier,
      lose(line) {
        carrier.lose(line);
        lost.count += 1;
      },
    };
    const upgradeHandler = handleUpgrades(server);
    const shut = openSipWebSocket({ upgradeHandler, carrier: watched, isAllowed: () => true, ...door });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await shut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return new CarrierRoom({ carrier, clock, server, upgradeHandler, medias, problems, lost });
  }

  /** A page is gone, as by a reload, and the carrier knows. */
  async break(telephone: SipTelephone): Promise<void> {
    const { count } = this.lost;
    telephone.socket.terminate();
    await eventually(() => this.lost.count > count);
  }

  account(agent: AgentId = ada) {
    return this.carrier.account(companyId, agent);
  }

  /** A page with an open line. */
  telephone(agent: AgentId = ada, contact?: string): Promise<SipTelephone> {
    return SipTelephone.connect(this.url, this.account(agent), contact);
  }

  async registered(agent: AgentId = ada, contact?: string): Promise<SipTelephone> {
    const telephone = await this.telephone(agent, contact);
    const status = await telephone.register();
    if (status !== 200) throw new Error(`the registration was answered ${status}`);
    return telephone;
  }

  /** Calls a number, lets it ring as long as it does, and acknowledges the answer. */
  async call(telephone: SipTelephone, number = '+15551230001'): Promise<AnsweredCall> {
    const invite = telephone.say('INVITE', { uri: `sip:${number}@${telephone.account.domain}`, body: offerSdp });
    await telephone.answer(invite.branch, (status) => status === 180);
    await this.clock.advance(1_000);
    const answer = await telephone.answer(invite.branch, (status) => status === 200);
    const call = { invite, to: answer.to.text, toTag: answer.to.tag ?? '' };
    this.acknowledge(telephone, call);
    await telephone.ask('OPTIONS', inDialog(call));
    return call;
  }

  acknowledge(telephone: SipTelephone, { invite, to }: AnsweredCall): void {
    telephone.say('ACK', { uri: invite.uri, callId: invite.callId, cseq: invite.cseq, to, from: invite.from });
  }
}

/** The names of a call, for a request within it. */
export function inDialog({ invite, to }: AnsweredCall): Pick<SaidRequest, 'uri' | 'callId' | 'to' | 'from'> {
  return { uri: invite.uri, callId: invite.callId, to, from: invite.from };
}

/** The header with which another page takes a call over. */
export function replacesHeader({ invite, toTag }: AnsweredCall): string {
  const fromTag = /;tag=(.+)$/.exec(invite.from)?.[1] ?? '';
  return `${invite.callId};to-tag=${toTag};from-tag=${fromTag}`;
}
