import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSync, Visitor, type ESTree } from 'vite';

const source = fileURLToPath(new URL('../../web/src/', import.meta.url));

/** What is the same in every language: names, words of protocols, and the keys of a keyboard. */
const sameEverywhere = new Set([
  'Readyline',
  'Margaret Hamilton',
  'Tranquility Software',
  'Bearer …',
  'POST …',
  'X-DID',
  'X-Queue',
  'Alt',
  'Ctrl',
  'Enter',
  'Escape',
  'English',
  'Deutsch',
  'Español',
  'Français',
]);

/**
 * What programs read, in the language of the interface: reason phrases of SIP,
 * and what a page around the softphone is answered.
 */
const forPrograms = new Set([
  ...[
    'Bad Media Description',
    'Busy Here',
    'No Answer',
    'Request Terminated',
    'Request Timeout',
    'Session Timer Expired',
    'Temporarily Unavailable',
    'WebRTC Error',
  ],
  ...[
    'Nobody is logged in to the softphone.',
    'The gateway did not answer.',
    'There is a call already.',
    'There is still a call.',
    'The phone is not ready.',
  ],
]);

/** Attributes, properties and parameters whose value a person reads or hears. */
const read = new Set(
  (
    'label title placeholder aria-label aria-description aria-roledescription aria-valuetext description alt error ' +
    'text message notice detail heading hint nothingFoundMessage closeButtonLabel'
  ).split(' '),
);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'),
);

describe('the texts of the pages', () => {
  it('stand in the catalogs', () => {
    const found = files.flatMap((file) => textsIn(file, readFileSync(`${source}${file}`, 'utf8')));
    expect(found).toEqual([]);
  });

  it.each([
    ['a text between tags', '<b>Hang up</b>'],
    ['a text beside a value', '<b>{name} calls</b>'],
    ['a text behind a condition', '<b>{isHeld ? "Resume" : t("softphone.hold")}</b>'],
    ['a text made of parts', '<b>{`Call ${name}`}</b>'],
    ['an attribute', '<Button aria-label="Close" />'],
    ['an attribute behind a condition', '<Button title={isOpen ? "Close it" : undefined} />'],
    ['a property', 'const look = { label: "Ready" }'],
    ['a sentence in the code', 'return problem ?? "Try again later."'],
    ['a sentence with a value', 'return `Dial ${phone} now`'],
  ])('are found outside of them: %s', (_what, code) => {
    expect(
      textsIn('example.tsx', `function example() { ${code.startsWith('<') ? `return ${code}` : code} }`),
    ).toHaveLength(1);
  });

  it.each([
    ['what comes from a catalog', '<b title={t("softphone.hold")}>{t("softphone.hold")}</b>'],
    ['what people do not read', '<Button variant="default" data-testid="hold" className={`${classes.who} wide`} />'],
    ['a comparison', '<b>{state === "held" && <Mark />}</b>'],
    ['names that are the same everywhere', '<b title="Readyline">Ctrl</b>'],
    ['signs and numbers', '<b>· {"–"} 12</b>'],
    ['what only developers read', 'throw new Error("There is no workplace around this component")'],
  ])('are not taken for one: %s', (_what, code) => {
    expect(textsIn('example.tsx', `function example() { ${code.startsWith('<') ? `return ${code}` : code} }`)).toEqual(
      [],
    );
  });
});

/** The texts in a source file that stand outside the catalogs: `file:line: text`. */
function textsIn(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code);
  expect(errors, file).toEqual([]);
  const found = new Map<number, string>();
  const note = (at: number, text: string) => {
    const plain = text.trim();
    if (
      /\p{L}/u.test(plain) &&
      !isCode(plain) &&
      !isExampleAddress(plain) &&
      !sameEverywhere.has(plain) &&
      !forPrograms.has(plain)
    )
      found.set(at, `${file}:${String(code.slice(0, at).split('\n').length)}: ${plain}`);
  };
  /** What an expression can come to where a person reads it. */
  const noteShown = (node: ESTree.Node | null | undefined): void => {
    switch (node?.type) {
      case 'Literal':
        return typeof node.value === 'string' ? note(node.start, node.value) : undefined;
      case 'TemplateLiteral':
        return note(node.start, node.quasis.map(({ value }) => value.raw).join(' '));
      case 'JSXExpressionContainer':
        return noteShown(node.expression);
      case 'ConditionalExpression':
        noteShown(node.consequent);
        return noteShown(node.alternate);
      case 'LogicalExpression':
      case 'BinaryExpression':
        if (node.type === 'BinaryExpression' && node.operator !== '+') return undefined;
        if (node.type !== 'LogicalExpression' || node.operator !== '&&') noteShown(node.left);
        return noteShown(node.right);
      default:
        return undefined;
    }
  };
  const errorsAt: [number, number][] = [];
  new Visitor({
    JSXText: (node) => note(node.start, node.value),
    JSXElement: (node) => node.children.forEach((child) => noteShown(child)),
    JSXFragment: (node) => node.children.forEach((child) => noteShown(child)),
    JSXAttribute: (node) => {
      if (node.name.type === 'JSXIdentifier' && read.has(node.name.name)) noteShown(node.value);
    },
    Property: (node) => {
      const name =
        node.key.type === 'Identifier' ? node.key.name : node.key.type === 'Literal' ? String(node.key.value) : '';
      if (read.has(name)) noteShown(node.value);
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && isSentence(node.value)) note(node.start, node.value);
    },
    TemplateLiteral: (node) => {
      if (isSentence(node.quasis.map(({ value }) => value.raw).join('…')))
        note(node.start, node.quasis.map(({ value }) => value.raw).join('…'));
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error'))
        errorsAt.push([node.start, node.end]);
    },
  }).visit(program);
  return [...found].filter(([at]) => !errorsAt.some(([start, end]) => at > start && at < end)).map(([, text]) => text);
}

/** A code of the contract or a key of a catalog: `no_answer`, `softphone.call.hold`. */
function isCode(text: string): boolean {
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) || /^[a-z]+(?:\.\w+){2,}$/i.test(text);
}

/** An address of a machine that does not exist, as a hint in an empty field. */
function isExampleAddress(text: string): boolean {
  return /^\S*\bexample\.com\S*$/.test(text);
}

/** Begins like a sentence and goes on like one. */
function isSentence(text: string): boolean {
  return /^\p{Lu}[\p{L}’']*[,…]? \S/u.test(text) || /^\p{Lu}\p{Ll}+ …/u.test(text);
}
