/** What a JSON text is made into, from the inside out. */
export type JsonBuilder<T> = {
  /** In the order of the text; of fields with one name the last value counts, at the place of the first. */
  object(fields: Map<string, T>): T;
  array(parts: T[]): T;
  /** As it is written, with its quotation marks and escapes. */
  string(written: string): T;
  /** As it is written, every digit of it. */
  number(written: string): T;
  word(written: 'true' | 'false' | 'null'): T;
};

/**
 * Reads a JSON text without what `JSON.parse` loses: the digits of numbers,
 * and the order of fields whose names are numbers.
 * @param text valid JSON: `JSON.parse` has taken it, and it is not nested deeper than the stack allows
 */
export function readJson<T>(text: string, build: JsonBuilder<T>): T {
  return new Reader(text, build).value();
}

/** The fields of an object, each value as `build` makes it; null where the text is no object. */
export function readFields<T>(text: string, build: JsonBuilder<T>): Map<string, T> | null {
  return new Reader(text, build).fields();
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;

class Reader<T> {
  readonly #text: string;
  readonly #build: JsonBuilder<T>;
  #at = 0;

  constructor(text: string, build: JsonBuilder<T>) {
    this.#text = text;
    this.#build = build;
  }

  value(): T {
    switch (this.#next()) {
      case openObject:
        return this.#build.object(this.#fields());
      case openArray:
        return this.#build.array(this.#parts());
      case quote:
        return this.#build.string(this.#string());
      default: {
        const word = this.#word();
        return word === 'true' || word === 'false' || word === 'null'
          ? this.#build.word(word)
          : this.#build.number(word);
      }
    }
  }

  fields(): Map<string, T> | null {
    return this.#next() === openObject ? this.#fields() : null;
  }

  #fields(): Map<string, T> {
    const fields = new Map<string, T>();
    this.#at += 1;
    while (this.#next() === quote) {
      const name = this.#string();
      this.#next();
      // Past the colon.
      this.#at += 1;
      fields.set(name.includes('\\') ? (JSON.parse(name) as string) : name.slice(1, -1), this.value());
      if (this.#next() === comma) this.#at += 1;
    }
    this.#at += 1;
    return fields;
  }

  #parts(): T[] {
    const parts: T[] = [];
    this.#at += 1;
    for (let next = this.#next(); next !== closeArray && !Number.isNaN(next); next = this.#next()) {
      parts.push(this.value());
      if (this.#next() === comma) this.#at += 1;
    }
    this.#at += 1;
    return parts;
  }

  #string(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start);
    return this.#text.slice(start, this.#at);
  }

  #word(): string {
    const start = this.#at;
    let code = this.#text.charCodeAt(start);
    while (code > 0x20 && code !== comma && code !== closeObject && code !== closeArray) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return this.#text.slice(start, this.#at);
  }

  /** Past white space; the code of what follows. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= 0x20) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }
}

/** Where the string that begins there is over. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

/** Whether a text holds more values than that, counted before any of them is made; it need not be valid JSON. */
export function holdsMoreValues(text: string, limit: number): boolean {
  // Each value but the first of its object or list comes after a comma.
  let count = 1;
  let isFirst = false;
  for (let at = 0; at < text.length && count <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    if (code === comma || (isFirst && code !== closeArray && code !== closeObject)) count += 1;
    isFirst = code === openArray || code === openObject;
    if (code === quote) at = endOfString(text, at) - 1;
  }
  return count > limit;
}
