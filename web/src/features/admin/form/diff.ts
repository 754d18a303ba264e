/** What was typed that is not the same as what is saved. */
export function differences<T extends object>(typed: Partial<T>, saved: T): Partial<T> {
  return pick(typed, (name) => !isSame(typed[name], saved[name]));
}

/** What was typed without the fields that still hold what was sent. */
export function without<T extends object>(typed: Partial<T>, sent: Partial<T>): Partial<T> {
  return pick(typed, (name) => !(name in sent && isSame(typed[name], sent[name])));
}

/** The fields of that name alone. */
export function pick<T extends object>(fields: Partial<T>, isWanted: (name: keyof T) => boolean): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of Object.keys(fields) as (keyof T)[]) if (isWanted(name)) picked[name] = fields[name] as T[keyof T];
  return picked;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
