/** What begins so is never answered by the receiver. */
export const hangingPath = '/hang';
