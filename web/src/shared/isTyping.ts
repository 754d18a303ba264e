/** Whether the keyboard belongs to a field just now: then keys are text, and the focus is not taken away. */
export function isTyping(element: Element | null = document.activeElement): boolean {
  if (element instanceof HTMLTextAreaElement) return !element.readOnly;
  if (element instanceof HTMLSelectElement) return true;
  if (element instanceof HTMLInputElement) return !['radio', 'checkbox', 'button', 'submit'].includes(element.type);
  return element instanceof HTMLElement && element.isContentEditable;
}
