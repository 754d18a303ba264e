/** What begins so is never answered by the receiver. */
export const hangingPath = '/hang';

/**
 * What begins so is answered after `thinkingMs`: a receiver across a country, or one that writes the event down first.
 */
export const thinkingPath = '/think';
export const thinkingMs = 20;
