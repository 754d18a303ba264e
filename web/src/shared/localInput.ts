/** An ISO time as `<input type="datetime-local">` takes it; empty stays empty. */
export function toLocalInput(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

/** What was put into such a field as ISO 8601, UTC; empty where it is no time. */
export function fromLocalInput(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
