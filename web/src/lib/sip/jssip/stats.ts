import type { PhoneStats } from '../phone.ts';

/** Sums up what a connection's audio streams have carried so far. */
export async function readStats(connection: RTCPeerConnection): Promise<PhoneStats> {
  const sum: PhoneStats = { bytesSent: 0, bytesReceived: 0, packetsSent: 0, packetsReceived: 0, packetsLost: 0 };
  const reports = await connection.getStats();
  reports.forEach((report: Partial<PhoneStats> & { type: string }) => {
    if (report.type !== 'inbound-rtp' && report.type !== 'outbound-rtp') return;
    for (const key of Object.keys(sum) as (keyof PhoneStats)[]) sum[key] += report[key] ?? 0;
  });
  return sum;
}

/** What `getStats` tells of what arrives, as far as it is read here. Times are of the arrival. */
type Report = { type: string; packetsReceived?: number; timestamp: number };

const ofControl: ReadonlySet<string> = new Set(['remote-outbound-rtp', 'remote-inbound-rtp']);

/**
 * What has arrived from the other side so far, as a text that changes with everything that arrives. A telephone that sends
 * no packets while nobody speaks (DTX, comfort noise of RFC 3389) still sends RTCP every few seconds (RFC 3550, 6.2).
 */
export async function signsOfLife(connection: RTCPeerConnection): Promise<string> {
  const signs: number[] = [];
  const reports = await connection.getStats();
  reports.forEach((report: Report) => {
    if (report.type === 'inbound-rtp') signs.push(report.packetsReceived ?? 0);
    if (ofControl.has(report.type)) signs.push(report.timestamp);
  });
  return signs.join(' ');
}
