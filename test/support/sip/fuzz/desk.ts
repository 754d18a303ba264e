/** What an agent has before them while their phone is told odd things: the page, or the phone behind it alone. */
export type Desk = {
  sees: () => Promise<'nothing' | 'ring' | 'call'>;
  /** Waits until it can be pressed. */
  press: (what: 'answer' | 'decline' | 'hang up') => Promise<void>;
  dial: (phoneNumber: string) => Promise<void>;
  /** Waits for it. */
  isConnected: () => Promise<void>;
  /** Waits until the phone is registered, and the agent Ready. */
  isReady: () => Promise<void>;
  isRegistered: () => Promise<boolean>;
  /** The browser finds itself on a network again. */
  hurry: () => Promise<void>;
  /** What went wrong and nobody caught. */
  troubles: () => string[];
  /** All that there is to see, for who has to find out what was wrong. */
  shows: () => Promise<string>;
};
