/** The fields that differ from what is saved. */
export function differences<T extends object>(values: Partial<T>, saved: T): Partial<T> {
  return pick(values, (name) => !isSame(values[name], saved[name]));
}

/**
 * What a form shows once something of it is saved: what was typed since stays, the rest is as stored.
 * @param sent the fields as they were when they were sent
 */
export function afterSaving<T extends object>(values: T, sent: Partial<T>, stored: T): T {
  return { ...stored, ...differences(values, { ...stored, ...sent }) };
}

/** The fields of that name alone. */
export function pick<T extends object>(fields: Partial<T>, isWanted: (name: keyof T) => boolean): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of Object.keys(fields) as (keyof T)[]) if (isWanted(name)) picked[name] = fields[name] as T[keyof T];
  return picked;
}

/** Whether two values hold the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
