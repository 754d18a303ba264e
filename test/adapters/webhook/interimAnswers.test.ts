import { describe, expect, it } from 'vitest';
import { InterimAnswers } from '../../../src/adapters/webhook/interimAnswers.ts';

const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
const plain = 'HTTP/1.1 100 Continue\r\n\r\n';
const bare = 'HTTP/1.0 199 \n\n';
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';

/** What goes through of a text that comes in chunks of that many bytes; null: too much came before. */
function through(text: string, size = text.length, interim = new InterimAnswers()): string | null {
  interim.begin();
  const bytes = Buffer.from(text, 'latin1');
  let out = '';
  for (let at = 0; at < bytes.length; at += size) {
    const left = interim.take(bytes.subarray(at, at + size));
    if (left === null) return null;
    out += Buffer.from(left).toString('latin1');
  }
  return out + Buffer.from(interim.end()).toString('latin1');
}

describe('interim answers', () => {
  it.each([1, 2, 3, 7, 11, 12, 13, 64, 10_000])('are taken out, and nothing else, in chunks of %d bytes', (size) => {
    expect(through(hint + plain + bare + answer, size)).toBe(answer);
    expect(through(answer, size)).toBe(answer);
  });

  it.each([
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['the beginning of a status line', 'HTTP/1.'],
    ['a status that is none', 'HTTP/1.1 1OO Continue\r\n\r\n'],
    ['another protocol', 'ICY 100 OK\r\n\r\n'],
    ['a greeting', '220 mail.example ESMTP\r\n'],
  ])('are not %s', (_what, text) => {
    for (const size of [1, 5, 100]) expect(through(text, size)).toBe(text);
  });

  it('do not hold back what cannot become one', () => {
    const interim = new InterimAnswers();
    interim.begin();
    expect(Buffer.from(interim.take(Buffer.from('HTTP/2')) ?? []).toString()).toBe('HTTP/2');
  });

  it('of one exchange are not those of the next over the same connection', () => {
    const interim = new InterimAnswers();
    expect(through(plain.repeat(50) + answer, 100, interim)).toBe(answer);
    expect(through(plain.repeat(50) + answer, 100, interim)).toBe(answer);
  });

  it('are too many after 50, or after 32 KiB', () => {
    expect(through(plain.repeat(50) + answer)).toBe(answer);
    for (const size of [1, 100, 100_000]) {
      expect(through(plain.repeat(51) + answer, size)).toBeNull();
      expect(through(`HTTP/1.1 103 Early Hints\r\n${'X-More: 1\r\n'.repeat(4_000)}\r\n${answer}`, size)).toBeNull();
    }
  });
});
