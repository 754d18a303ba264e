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
