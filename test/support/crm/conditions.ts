/** A row of a fake, by names of fields. */
export type Row = Record<string, unknown>;
export type Condition = { fields: string[]; holds: (row: Row) => boolean };

/** Whatever a query language does not know. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

const operators: Record<string, (left: unknown, right: string) => boolean> = {
  '=': (left, right) => same(left, right),
  eq: (left, right) => same(left, right),
  '>': (left, right) => textOf(left) > right,
  '>=': (left, right) => textOf(left) >= right,
};

/**
 * Reads conditions of SOQL (`Phone IN ('1','2') OR Name='x'`) and of OData (`a eq 'x' and contains(b,'y')`).
 * @param quote how a quotation mark stands within a text: `\'` or `''`
 */
export function readCondition(text: string, quote: 'backslash' | 'doubled'): Condition {
  const literal = quote === 'backslash' ? `'(?:[^'\\\\]|\\\\['\\\\])*'` : `'(?:[^']|'')*'`;
  const tokens =
    text.match(new RegExp(`${literal}|[(),]|>=|[=>]|[^\\s(),'=>]+|.`, 'g'))?.filter((token) => token.trim() !== '') ??
    [];
  const fields: string[] = [];
  const next = () => tokens.shift() ?? fail('unexpected end');
  const isNext = (word: string) => tokens[0]?.toLowerCase() === word;
  const take = (word: string) =>
    isNext(word) ? next() : fail(`expected ${word} near ${tokens.slice(0, 3).join(' ')}`);
  const name = () => {
    const word = next();
    if (!/^[A-Za-z_][\w.]*$/.test(word)) fail(`expected a field near ${word}`);
    fields.push(word);
    return word;
  };
  const value = () => {
    const token = next();
    if (!token.startsWith("'")) return /^[\w:.+-]+$/.test(token) ? token : fail(`unexpected ${token}`);
    if (token.length < 2 || !token.endsWith("'")) fail('a text does not end');
    const inner = token.slice(1, -1);
    return quote === 'backslash' ? inner.replace(/\\(.)/g, '$1') : inner.replaceAll("''", "'");
  };

  function either(): Condition['holds'] {
    const parts = [both()];
    while (isNext('or')) {
      next();
      parts.push(both());
    }
    return (row) => parts.some((part) => part(row));
  }
  function both(): Condition['holds'] {
    const parts = [one()];
    while (isNext('and')) {
      next();
      parts.push(one());
    }
    return (row) => parts.every((part) => part(row));
  }
  function one(): Condition['holds'] {
    if (isNext('(')) {
      next();
      const inner = either();
      take(')');
      return inner;
    }
    if (isNext('contains')) {
      next();
      take('(');
      const field = name();
      take(',');
      const part = value();
      take(')');
      return (row) => textOf(row[field]).toLowerCase().includes(part.toLowerCase());
    }
    const field = name();
    if (isNext('in')) {
      next();
      take('(');
      const values = [value()];
      while (isNext(',')) {
        next();
        values.push(value());
      }
      take(')');
      return (row) => values.some((each) => same(row[field], each));
    }
    const compare = operators[next()] ?? fail('unknown operator');
    const right = value();
    return (row) => compare(row[field], right);
  }

  const holds = either();
  if (tokens.length > 0) fail(`unexpected ${tokens[0]}`);
  return { fields, holds };
}

/** A value of a row as a text; nothing is the empty one. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : JSON.stringify(value);
}

/** As databases of CRM systems compare texts: without case. */
function same(left: unknown, right: string): boolean {
  return textOf(left ?? 'null').toLowerCase() === right.toLowerCase();
}

function fail(why: string): never {
  throw new Malformed(why);
}
