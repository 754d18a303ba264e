/** The name under which the socket hands a REFER's address on: JsSIP leaves REFERs unanswered whose address it cannot read. */
export const referToHeader = 'X-Refer-To';

/** A message as JsSIP can read it, whatever a REFER refers to. */
export function readable(message: string): string {
  return message.startsWith('REFER ') ? message.replaceAll(/^(?:refer-to|r)[ \t]*:/gim, `${referToHeader}:`) : message;
}
