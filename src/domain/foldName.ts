/**
 * An agent code, e-mail address or company slug as it is compared: without case, surrounding spaces and forms of letters
 * that look alike (NFKC, such as full-width ones).
 */
export function foldName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
