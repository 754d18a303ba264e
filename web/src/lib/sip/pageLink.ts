/** What both pages of a connection for listening have in common. */

/**
 * Candidates that are not there by then are left out: a server of the company's that does not answer would hold
 * everything up. Milliseconds.
 */
const gatherWithinMs = 2_000;

/**
 * The channel beside the audio, which both sides open alike: it tells by whom the listener is heard,
 * and closes with the page.
 */
export function listeningChannel(connection: RTCPeerConnection): RTCDataChannel {
  return connection.createDataChannel('listening', { negotiated: true, id: 0 });
}

/** The connection's own description, with the candidates that were found. */
export async function gatheredDescription(connection: RTCPeerConnection): Promise<string> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (connection.iceGatheringState !== 'complete') return;
      clearTimeout(timer);
      connection.removeEventListener('icegatheringstatechange', look);
      resolve();
    };
    const timer = setTimeout(() => {
      connection.removeEventListener('icegatheringstatechange', look);
      resolve();
    }, gatherWithinMs);
    connection.addEventListener('icegatheringstatechange', look);
    look();
  });
  const { sdp } = connection.localDescription ?? {};
  if (sdp === undefined) throw new Error('the connection has no description');
  return sdp;
}
