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

const maxDepth = 32;
const maxElements = 20_000;
const name = '[A-Za-z_][\\w.-]{0,200}(?::[A-Za-z_][\\w.-]{0,200})?';
const declaration = /^\uFEFF?\s*(?:<\?xml [^<>?]{0,200}\?>)?/;
const tag = new RegExp(`<(/?)(${name})((?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y');
const attribute = new RegExp(`(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');
const entity = /&(?:#x([0-9A-Fa-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g;
const otherEntity = /&(?!(?:#x[0-9A-Fa-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);)/;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads XML as messages use it: elements, attributes and text. Document types, entities of its own, comments, CDATA and
 * processing instructions are refused, so that nothing is fetched or multiplied; time and memory grow with the text alone.
 * Throws `UnreadableAnswer`.
 */
export function readXml(text: string): XmlElement {
  type Open = { qualified: string; name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };
  const document: Open = { qualified: '', name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let count = 0;
  let at = declaration.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const parent = open[open.length - 1] ?? document;
    const next = text.indexOf('<', at);
    parent.text += decoded(text.slice(at, next < 0 ? text.length : next));
    if (next < 0) break;
    tag.lastIndex = next;
    const found = tag.exec(text) ?? unreadable('Expected XML of elements, attributes and text alone.');
    at = tag.lastIndex;
    const [, closing = '', qualified = '', attributes = '', empty = ''] = found;
    if (closing !== '') {
      if (parent.qualified !== qualified || attributes !== '' || empty !== '') unreadable(`Expected the end of <${parent.qualified}>.`);
      open.pop();
      continue;
    }
    count += 1;
    if (count > maxElements || open.length > maxDepth) unreadable('Expected less XML.');
    const element: Open = { qualified, name: local(qualified), attributes: attributesOf(attributes), children: [], text: '' };
    parent.children.push(element);
    if (empty === '') open.push(element);
  }
  const [root, ...others] = document.children;
  if (open.length > 1 || root === undefined || others.length > 0 || document.text.trim() !== '') unreadable('Expected one whole element of XML.');
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

function attributesOf(text: string): Record<string, string> {
  const attributes = new Map<string, string>();
  for (const [, qualified = '', double, single] of text.matchAll(attribute)) {
    if (qualified !== 'xmlns' && !qualified.startsWith('xmlns:')) attributes.set(local(qualified), decoded(double ?? single ?? ''));
  }
  return Object.fromEntries(attributes);
}

function decoded(text: string): string {
  if (otherEntity.test(text)) unreadable('Expected no entities but those of XML itself.');
  return text.replace(entity, (_whole, hexadecimal?: string, decimal?: string, word?: string) => {
    if (word !== undefined) return named[word] ?? '';
    const code = hexadecimal !== undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal ?? Number.NaN);
    const isCharacter = code === 9 || code === 10 || code === 13 || (code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
    return isCharacter ? String.fromCodePoint(code) : unreadable('Expected a character that XML may hold.');
  });
}
