/** The STUN and TURN servers of calls. Their credentials may end, so they change while the phone stays. */
export type IceServers = {
  /** As they are known now. */
  readonly current: RTCIceServer[];
  /** Sees to it that their credentials last for a call. Resolves in any case, and soon. */
  renew(): Promise<void>;
};
