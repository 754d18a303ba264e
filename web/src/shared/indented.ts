import { readJson, type JsonBuilder } from '../../../src/contract/jsonReader.ts';

/** JSON with its structure to be seen, every digit and the order of fields as they came; other text as it is. */
export function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return readJson(text, lines);
}

const lines: JsonBuilder<string> = {
  object: (fields) =>
    block(
      '{',
      Array.from(fields, ([name, value]) => `${JSON.stringify(name)}: ${value}`),
      '}',
    ),
  array: (parts) => block('[', parts, ']'),
  string: (written) => written,
  number: (written) => written,
  word: (written) => written,
};

function block(open: string, parts: string[], close: string): string {
  if (parts.length === 0) return open + close;
  return `${open}\n  ${parts.join(',\n').replaceAll('\n', '\n  ')}\n${close}`;
}
