/** Deeper nesting than any record has; parsers of other systems give up not far above. */
const maxDepth = 500;

/** U+0000 and halves of surrogate pairs: legal in JavaScript and JSON, but no Unicode text that can be stored. */
const unstorableText = /[\0\p{Surrogate}]/u;
/** The same as `JSON.stringify` escapes it, not preceded by an escaped backslash. */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Whether a text can be kept exactly as it is. */
export function isStorableText(text: string): boolean {
  return !unstorableText.test(text);
}

export type StorableJson = { kind: 'json'; text: string } | { kind: 'unstorable'; detail: string };

/** A JSON value as text, or why it cannot be kept: ask before a request has had any effect. */
export function storableJson(value: unknown): StorableJson {
  const text = stringify(value);
  if (text === null || (text.length > 2 * maxDepth && depthOf(text) > maxDepth)) {
    return { kind: 'unstorable', detail: `it is nested more than ${maxDepth} levels deep` };
  }
  return unstorableEscape.test(text)
    ? { kind: 'unstorable', detail: 'it holds U+0000 or half of a surrogate pair' }
    : { kind: 'json', text };
}

/** Null: so deep that `JSON.stringify` ran out of stack. */
function stringify(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1));
    else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
}
