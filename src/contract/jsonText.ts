import { readFields, readJson, type JsonBuilder } from './jsonReader.ts';

/** A JSON object as a JavaScript program holds it. */
export type FreeForm = Record<string, unknown>;

/**
 * A JSON value as its text: every digit of its numbers, its fields in their order and each once, no white space
 * between. So a gateway carries what is a CRM's own: it writes it out where it belongs and never takes it apart.
 */
export class JsonText {
  readonly text: string;

  /** @param text as `canonical` writes it, or trusted to be valid JSON */
  constructor(text: string) {
    this.text = text;
  }

  /** Of what a program holds. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value));
  }

  /** Size in bytes of UTF-8. */
  get bytes(): number {
    return bytesOf(this.text);
  }

  /**
   * The same object with the fields of another one laid over it; new ones follow at the end.
   * What is null there hides nothing.
   */
  overlaidWith(upper: JsonText): JsonText {
    const fields = readFields(this.text, canonical) ?? new Map<string, string>();
    for (const [name, value] of readFields(upper.text, canonical) ?? []) {
      if (value !== 'null' || !fields.has(name)) fields.set(name, value);
    }
    return new JsonText(canonical.object(fields));
  }

  /** The same object without the fields that another one holds with the same values. */
  without(other: JsonText): JsonText {
    const fields = readFields(this.text, canonical) ?? new Map<string, string>();
    for (const [name, value] of readFields(other.text, canonical) ?? []) {
      if (fields.get(name) === value) fields.delete(name);
    }
    return new JsonText(canonical.object(fields));
  }

  /** As JavaScript reads it, except that a number which a double cannot hold is a string of its digits. */
  plain(): FreeForm {
    return plainJson(this.text) as FreeForm;
  }

  /** The text, where `plain` tells less: digits of numbers, the order of fields. Else undefined. */
  exact(): string | undefined {
    return JSON.stringify(JSON.parse(this.text)) === this.text ? undefined : this.text;
  }

  /** As a field of something that `writeJson` writes, typed as what its readers will find there. */
  asWritten(): FreeForm {
    return this as unknown as FreeForm;
  }

  /** For `JSON.stringify`: all of it within `writeJson`, else what a reader with doubles can take. */
  toJSON(): unknown {
    if (written === null) return this.plain();
    written.push(this.text);
    return mark;
  }
}

/** Writes values with the JsonTexts in them as they are. */
export function writeJson(value: unknown): string {
  const outer = written;
  const texts: string[] = [];
  written = texts;
  try {
    const json = JSON.stringify(value);
    if (texts.length === 0) return json;
    const [first = '', ...others] = json.split(`"${mark}"`);
    return others.reduce((text, other, index) => text + (texts[index] ?? '') + other, first);
  } finally {
    written = outer;
  }
}

/** The texts that a `writeJson` under way has come across. */
let written: string[] | null = null;
/** Stands for a text meanwhile. Nobody can guess it, so nothing that is written can hold it. */
const mark = `json-text-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** Writes a text as a JsonText holds it. */
export const canonical: JsonBuilder<string> = {
  object: (fields) => `{${Array.from(fields, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
  array: (parts) => `[${parts.join(',')}]`,
  string: (text) => (text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text),
  number: (text) => text,
  word: (text) => text,
};

/** Parses JSON as JavaScript does, except that a number which a double cannot hold becomes a string of its digits. */
export function plainJson(text: string): unknown {
  // Refuses what is no JSON, which only then may be read by its text.
  const value: unknown = JSON.parse(text);
  // Nearly always: up to 15 digits without an exponent fit a double.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return value;
  return JSON.parse(
    readJson(text, { ...canonical, number: (number) => (isHeldByDouble(number) ? number : `"${number}"`) }),
  );
}

/**
 * A double needs at most 1,074 digits behind the point; a longer number is told by its text, though all else be zeros.
 */
const longestHeld = 1_100;

/** Whether a double means the same number, so that it can be written with all its digits again. */
export function isHeldByDouble(number: string): boolean {
  if (number.length > longestHeld) return false;
  const { digits, exponent } = decimalOf(number);
  const double = Number(number);
  if (!Number.isFinite(double)) return false;
  const again = decimalOf(String(double));
  return digits === again.digits && (digits === '' || exponent === again.exponent);
}

/** A number's digits without zeros around them, and the power of ten behind the last one. */
function decimalOf(number: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = whole + fraction;
  // Not by an expression, which would look at zeros that are not the last ones again and again.
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(0, end);
  return { digits: digits.replace(/^0+/, ''), exponent: Number(power) - fraction.length + all.length - digits.length };
}

/** The size of a text in bytes of UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
