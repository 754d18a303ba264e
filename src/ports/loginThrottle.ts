/** Slows down the guessing of passwords, per account and per address. */
export interface LoginThrottle {
  /** Before a try: seconds to wait, or null when it may go on. */
  blockedFor(account: string, address: string): Promise<number | null>;
  /** After a try that failed. */
  failed(account: string, address: string): Promise<void>;
  /** After a try that succeeded. */
  succeeded(account: string): Promise<void>;
}
