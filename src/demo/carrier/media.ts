/** The audio of one call: whatever comes is sent back. */
export interface Media {
  /**
   * Answers an SDP offer, the first or a later one (hold, resume).
   * @throws what cannot be understood
   */
  answer(offer: string): Promise<string>;
  /** Makes an SDP offer; the other side's answer goes to `accept`. */
  offer(): Promise<string>;
  /** @throws what cannot be understood */
  accept(answer: string): Promise<void>;
  close(): void;
}

export type OpenMedia = () => Promise<Media>;

/** Whether an SDP is about audio as browsers send it: encrypted, by ICE. */
export function isBrowserAudio(sdp: string): boolean {
  return /^m=audio \d/m.test(sdp) && /^a=ice-ufrag:\S/m.test(sdp) && /^a=fingerprint:\S/m.test(sdp);
}
