import { isUtf8 } from 'node:buffer';
import { detectAll } from 'jschardet';
import { byteEncodings, type ImportEncoding } from '../../contract/imports.ts';
import { bytesReader } from '../../domain/keptBytes.ts';

/** What `jschardet` calls some of them. */
const otherNames: Readonly<Record<string, ImportEncoding>> = {
  macroman: 'macintosh',
  gb18030: 'gbk',
  gb2312: 'gbk',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
};
const asked = [...byteEncodings, 'MacRoman', 'GB18030'];
/** So many of the likeliest are looked at, in so many words. */
const [candidates, tried] = [6, 500];

/**
 * What no name holds: characters that are none, a capital behind a small letter, letters of two scripts side by side,
 * signs within words. The letters of a language tell little where a file has few of them.
 */
const flaw =
  /[\ufffd\x80-\x9f\u2500-\u259f]|\p{Ll}(?![A-Z])\p{Lu}|\p{sc=Latin}(?!\p{sc=Latin})\p{L}|\p{L}(?!\p{sc=Latin})\p{L}\p{sc=Latin}|\p{L}[¡¢£¤¥¦§ª«¬¯±²³µ¶¸¹º»¼½¾¿×÷]\p{L}|[¡ª¬¯±²³¶¸¹º¼½¾×÷]\p{L}/u;
/** Western files are the most by far: those that are so likely as this share of the likeliest are taken for one. */
const westernShare = 0.7;

/**
 * The encoding that these words most probably have, each byte a character: UTF-8 where most of them are, since some are
 * broken then; else what the letters of the languages tell, of those in which the words read as words do.
 */
export function guessEncoding(words: readonly string[]): ImportEncoding {
  if (words.length === 0) return 'windows-1252';
  const whole = words.filter((word) => isUtf8(Buffer.from(word, 'latin1')));
  if (whole.length * 2 > words.length) return 'utf-8';
  const found = detectAll(Buffer.from(words.join('\n'), 'latin1'), {
    detectEncodings: asked,
    minimumThreshold: 0,
  }).slice(0, candidates);
  const scored = found.flatMap(({ encoding: name, confidence }) => {
    const encoding = encodingNamed(name);
    if (encoding === undefined) return [];
    const text = words.slice(0, tried).map(bytesReader(encoding));
    return [{ encoding, confidence, text: text.join('\n'), flaws: text.filter((word) => flaw.test(word)).length }];
  });
  const least = Math.min(...scored.map(({ flaws }) => flaws));
  const [best, ...others] = scored.filter(({ flaws }) => flaws === least);
  const western = others.find(({ encoding }) => encoding === 'windows-1252');
  const isWestern =
    western !== undefined &&
    best !== undefined &&
    (western.text === best.text || western.confidence >= best.confidence * westernShare);
  return best === undefined || isWestern ? 'windows-1252' : best.encoding;
}

function encodingNamed(name: string | null): ImportEncoding | undefined {
  const folded = name?.toLowerCase() ?? '';
  return byteEncodings.find((each) => each === folded) ?? otherNames[folded];
}
