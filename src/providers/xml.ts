import sax from 'sax';
import { unreadable } from './answers.ts';

/** An element of XML, without its namespace. */
export type XmlElement = {
  /** Without its prefix. */
  name: string;
  /** By name without prefix; those that declare namespaces are left out. */
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** The text directly in it, in one piece. */
  text: string;
};

// As the types have it not yet: the entities of XML alone, and not those of HTML.
const options: sax.SAXOptions & { strictEntities: boolean } = { strictEntities: true };
const maxDepth = 32;
const maxElements = 20_000;
/** What XML 1.0 does not allow, not even by a reference. */
const noCharacter = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Reads XML as messages use it: elements, attributes, text and CDATA; comments and processing instructions are passed
 * over. Document types, and entities but those of XML itself, are refused, so that nothing is fetched or multiplied;
 * time and memory grow with the text alone. By sax, which hands out pieces and expands nothing: readers that build the
 * tree themselves have had to be mended for entities that multiply, and for names such as `__proto__`. Throws
 * `UnreadableAnswer`.
 */
export function readXml(text: string): XmlElement {
  type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };
  const document: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let count = 0;
  const parser = sax.parser(true, options);
  const innermost = () => open.at(-1) ?? document;
  const add = (piece: string) => {
    innermost().text += allowed(piece);
  };
  parser.onerror = () => unreadable('Expected XML that is well formed, and no entities but those of XML itself.');
  parser.ondoctype = () => unreadable('Expected XML without a document type.');
  parser.ontext = add;
  parser.oncdata = add;
  parser.onopentag = ({ name, attributes }) => {
    count += 1;
    if (count > maxElements || open.length > maxDepth) unreadable('Expected less XML.');
    const element: Open = {
      name: local(name),
      attributes: attributesOf(attributes as Record<string, string>),
      children: [],
      text: '',
    };
    innermost().children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => open.pop();
  parser.write(text.replace(/^\uFEFF?\s*/, '')).close();
  const [root, ...others] = document.children;
  if (root === undefined || others.length > 0) unreadable('Expected one whole element of XML.');
  return root as XmlElement;
}

/** The elements below one, directly, with a name. */
export function childrenOf({ children }: XmlElement, childName: string): XmlElement[] {
  return children.filter((child) => child.name === childName);
}

/** The first of them; null: there is none. */
export function childOf(element: XmlElement, childName: string): XmlElement | null {
  return childrenOf(element, childName)[0] ?? null;
}

function local(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

function attributesOf(written: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(written).filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'));
  return Object.fromEntries(named.map(([name, value]) => [local(name), allowed(value)]));
}

function allowed(text: string): string {
  return noCharacter.test(text) ? unreadable('Expected characters that XML may hold.') : text;
}
