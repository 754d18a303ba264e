/** Facts about this installation. */
export type PlatformFacts = {
  /** Version of the software, as in package.json. */
  version: string;
  mode: 'embedded' | 'scaled';
  /** Public URL without trailing slash; null when not configured. */
  publicUrl: string | null;
  /** Origins that may embed the softphone in an iframe. */
  embedOrigins: readonly string[];
  /** Whether only this machine can reach it. */
  isLocal: boolean;
  /** Whether the demo is served: its page, webhook inspector and echo carrier. */
  hasDemo: boolean;
  /** Whether it is draining and wants no more requests. */
  isDraining: () => boolean;
};

/** Version of the interface that callers depend on. */
export const interfaceVersion = '2.0.0';
