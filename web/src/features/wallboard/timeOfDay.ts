const format = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** A moment as its local time of day. @param moment milliseconds since the epoch */
export function timeOfDay(moment: number): string {
  return format.format(moment);
}
