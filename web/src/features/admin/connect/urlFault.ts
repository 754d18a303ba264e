/** What is plainly wrong with a webhook URL; null: nothing that can be seen from here. The gateway knows more. */
export function urlFault(text: string): string | null {
  if (text === '') return 'Enter the URL that webhooks go to.';
  if (!/^https?:\/\//i.test(text)) return 'It has to begin with https:// or http://.';
  if (/[\s\\]/.test(text)) return 'It must not contain spaces or backslashes.';
  return URL.canParse(text) ? null : 'This is not a URL.';
}
