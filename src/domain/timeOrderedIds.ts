/**
 * The least UUIDv7 of a millisecond: ids made before then are less, the others are not.
 * @param time no earlier than 1970
 */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
