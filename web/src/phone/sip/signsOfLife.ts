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
