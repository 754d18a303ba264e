/** Whether the server does not know the command, or has been told to forget it (`rename-command`). */
export const isUnknown = (said: string): boolean => /unknown (?:sub)?command/i.test(said);

/** Whether the server's ACL does not let this user do it. */
export const isForbidden = (said: string): boolean => said.startsWith('NOPERM');

/** Whether the server says no for good to what it was asked, and not for what happens to it. */
export const isRefusal = ({ message }: Error): boolean => isUnknown(message) || isForbidden(message);
