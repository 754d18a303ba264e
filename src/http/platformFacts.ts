/** What this installation tells about itself. */
export type PlatformFacts = {
  /** Of the software, as in package.json. */
  version: string;
  mode: 'embedded' | 'scaled';
  /** Where callers reach it, without a slash at the end; null when that is not configured. */
  publicUrl: string | null;
  /** Origins of pages that may hold the softphone in an iframe. */
  embedOrigins: readonly string[];
  /** Only this machine reaches it, by a name of this machine. */
  isLocal: boolean;
  /** Whether the demo is there: its page, its webhook inspector and its answering machine. */
  hasDemo: boolean;
  /** Whether it is about to end, and wants no more requests. */
  isDraining: () => boolean;
};

/** Of the interface description that callers depend on. */
export const interfaceVersion = '2.0.0';
