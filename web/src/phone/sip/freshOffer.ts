import { IceGuard } from './iceGuard.ts';

/**
 * An offer by which both sides look for another way for the voice (ICE restart), with the addresses that this machine has
 * now. Rejects where it has none.
 */
export async function freshOffer(connection: RTCPeerConnection): Promise<string> {
  await connection.setLocalDescription(await connection.createOffer({ iceRestart: true }));
  await candidates(connection);
  return connection.localDescription?.sdp ?? '';
}

function candidates(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const guard = new IceGuard({ onNone: () => done(() => reject(new Error('no network to send the voice through'))) });
    const take = ({ candidate }: RTCPeerConnectionIceEvent) => {
      if (candidate !== null && candidate.candidate !== '') guard.take(candidate, () => done(resolve));
    };
    function done(settle: () => void): void {
      guard.stop();
      connection.removeEventListener('icecandidate', take);
      settle();
    }
    connection.addEventListener('icecandidate', take);
  });
}
