import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../../support/time/waiting.ts';

declare global {
  interface Window {
    /** Every connection that the page has opened, for as long as anything holds it. */
    peers?: WeakRef<RTCPeerConnection>[];
  }
}

/** Runs in the page, before anything of its own. */
export function countPeers(): void {
  const peers: WeakRef<RTCPeerConnection>[] = [];
  window.peers = peers;
  window.RTCPeerConnection = new Proxy(RTCPeerConnection, {
    construct(Original, given: [RTCConfiguration?]) {
      const peer = new Original(...given);
      peers.push(new WeakRef(peer));
      return peer;
    },
  });
}

/** What a page holds, of all that it has made since it was loaded. */
export type PageMemory = {
  heapBytes: number;
  /** In its document. */
  shownNodes: number;
  /** Beside it: not seen any more, or not yet. */
  hiddenNodes: number;
  listeners: number;
  /** Connections that carry a voice, or could. */
  openPeers: number;
  /** Those, and closed ones that something holds still. */
  heldPeers: number;
};

/**
 * What a call may leave behind, on average. A row of a list, or a form that nobody sees any more, has fifteen nodes and
 * more; what is shown differs by a few from call to call. Of the heap, most growth is the browser's own: code that it
 * compiles, and tables that it fills, some 80 kB a call after the first fifteen, ever less later. A page that passes
 * and has 200 calls a day is larger by 30 MB in the evening, at the most.
 */
const mostPerCall = { shownNodes: 5, hiddenNodes: 1, listeners: 2, heapBytes: 150_000 };

/** Closed connections of the latest calls. */
const mostHeldPeers = 3;

/**
 * The page holds no more than before so many calls: no connection, and less than a call's worth of anything else.
 * @param early what it held then
 */
export async function isFlat(page: Page, early: PageMemory, calls: number): Promise<PageMemory> {
  const late = await eventually(async () => {
    const memory = await memoryOf(page);
    // The SIP library keeps a call that is over until its timers have run out (RFC 3261, 17: half a minute); what the
    // page was last drawn of keeps the latest ones, however many there were.
    expect(memory.heldPeers, 'connections that something holds').toBeLessThanOrEqual(mostHeldPeers);
    return memory;
  });
  expect(late.openPeers, 'open connections').toBe(0);
  for (const [what, most] of Object.entries(mostPerCall) as [keyof typeof mostPerCall, number][])
    expect((late[what] - early[what]) / calls, `${what} that a call leaves behind`).toBeLessThan(most);
  return late;
}

/** After everything was collected that nobody holds. */
export async function memoryOf(page: Page): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  // What one collection lets go of may hold more.
  for (let rounds = 0; rounds < 3; rounds += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const inside = await page.evaluate(() => {
    const held = (window.peers ?? []).flatMap((peer) => peer.deref() ?? []);
    const walk = document.createTreeWalker(document);
    let shownNodes = 1;
    while (walk.nextNode() !== null) shownNodes += 1;
    return {
      shownNodes,
      openPeers: held.filter(({ signalingState }) => signalingState !== 'closed').length,
      heldPeers: held.length,
    };
  });
  return { heapBytes: usedSize, hiddenNodes: nodes - inside.shownNodes, listeners: jsEventListeners, ...inside };
}
