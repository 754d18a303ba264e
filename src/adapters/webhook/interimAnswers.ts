/**
 * Interim answers: whatever has a status of 1xx and comes before the answer itself (RFC 9110, 15.2), such as a 100
 * (Continue) that nobody asked for, or 103 (Early Hints). A client has to take any number of them; undici ends the
 * connection at a 100, and would wait for ever in a flood of others.
 */

/** Interim answers that are skipped before one answer, and their bytes. */
const most = 50;
const mostBytes = 32 * 1024;

/** Long enough to tell an interim answer from another: `HTTP/1.1 103`. */
const lengthOfStatus = 12;
const cr = 13;
const lf = 10;
const nothing = Buffer.alloc(0);

/** What is left of a chunk once interim answers are out of it; null: there were more of them than anybody needs. */
type Left = Uint8Array | null;

/**
 * Takes interim answers out of what one connection brings. Reads every byte once, keeps at most 11 of them,
 * and lets through as it is what is no interim answer; also a switch of protocols (101), which ends the exchange.
 */
export class InterimAnswers {
  /** `answer`: everything goes through until the next exchange begins. */
  #at: 'start' | 'interim' | 'answer' = 'answer';
  /** The beginning of a status line that is not whole yet. */
  #held: Uint8Array = nothing;
  /** Within an interim answer: nothing but a line's end has come since the line before. */
  #isLineEmpty = false;
  #count = 0;
  #bytes = 0;

  /** An exchange begins: what comes next is the start of its answer. */
  begin(): void {
    this.#at = 'start';
    this.#held = nothing;
    this.#count = 0;
    this.#bytes = 0;
  }

  take(chunk: Uint8Array): Left {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = nothing;
    while (this.#at !== 'answer') {
      const next = this.#at === 'start' ? this.#readStart(rest) : this.#skip(rest);
      if (next === null || next.length === 0) return next;
      rest = next;
    }
    return rest;
  }

  /** The other side sends nothing more: what was held back goes through as it is. */
  end(): Uint8Array {
    const held = this.#held;
    this.#held = nothing;
    return held;
  }

  /** Tells from a status line what comes. Lines may end before it (RFC 9112, 2.2). */
  #readStart(bytes: Uint8Array): Left {
    const begin = bytes.findIndex((byte) => byte !== cr && byte !== lf);
    const line = begin < 0 ? nothing : bytes.subarray(begin);
    if (!mayBeInterim(line)) {
      this.#at = 'answer';
      return line;
    }
    if (line.length < lengthOfStatus) {
      this.#held = line;
      return nothing;
    }
    this.#at = 'interim';
    this.#isLineEmpty = false;
    this.#count += 1;
    return this.#count > most ? null : line;
  }

  /** Skips to the end of an interim answer: it is as long as its headers. */
  #skip(bytes: Uint8Array): Left {
    let read = 0;
    while (read < bytes.length && this.#at === 'interim') {
      const byte = bytes[read++];
      if (byte === lf && this.#isLineEmpty) this.#at = 'start';
      else if (byte !== cr) this.#isLineEmpty = byte === lf;
    }
    this.#bytes += read;
    return this.#bytes > mostBytes ? null : bytes.subarray(read);
  }
}

/** Whether bytes are, or may become, the status line of an interim answer; no bytes may become one. */
function mayBeInterim(bytes: Uint8Array): boolean {
  const status = Buffer.from(bytes.subarray(0, lengthOfStatus)).toString('latin1');
  const pattern = 'HTTP/1.1 100';
  // An example with the same beginning, completed: so one pattern does for beginnings, too.
  const whole = status + pattern.slice(status.length);
  return /^HTTP\/1\.\d 1\d\d$/.test(whole) && !(status.length === lengthOfStatus && status.endsWith('101'));
}
