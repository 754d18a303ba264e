import { parameterOf, readAddress, readAddresses, type Address } from './address.ts';
import { type Head, type Header, headOf } from './head.ts';

/** The SIP library takes a longer one for none at all: its timer would run out at once. Seconds. */
const longestSeconds = 86_400;
const usualSeconds = 120;
/** A network that always wants it longer (423) would be asked without end. */
const mostTooBrief = 3;
/** Of those that are answered yet; the library's own one goes on being used. */
const mostCalls = 10;

/**
 * Makes the answers to REGISTER such as the SIP library waits for. It takes an account for registered only where the
 * Contact in the 200 is its own; border controllers put theirs there, or none (RFC 3261, 10.3 asks for the own one),
 * and then nothing happened any more.
 */
export class Registrations {
  /** By the Call-ID: what is asked beside the registration has another one. */
  readonly #own = new Map<string, Address>();
  #tooBrief = 0;

  /** @param request as it goes out */
  sent(request: string): void {
    if (!request.startsWith('REGISTER ')) return;
    const { headers } = headOf(request.split('\r\n\r\n', 1)[0] ?? '');
    const own = readAddress(valueOf(headers, 'contact') ?? '');
    const call = valueOf(headers, 'call-id') ?? '';
    this.#own.delete(call);
    if (own !== null) this.#own.set(call, own);
    if (this.#own.size > mostCalls) this.#own.delete(this.#own.keys().next().value ?? '');
  }

  /** @returns the answer as the library is to have it; all else stays */
  answered(head: Head): Head {
    const code = Number(/^SIP\/2\.0 (\d{3})/.exec(head.start)?.[1] ?? 0);
    const isAnswer = head.headers.some(({ name, value }) => name === 'cseq' && /\sREGISTER$/.test(value));
    if (!isAnswer || code < 200) return head;
    if (code === 423) return this.#tooBriefAgain(head);
    // One that wants the secret first is a part of the same try.
    if (code !== 401 && code !== 407) this.#tooBrief = 0;
    const own = this.#own.get(valueOf(head.headers, 'call-id') ?? '');
    return code < 300 && own !== undefined ? accepted(head, own) : head;
  }

  #tooBriefAgain(head: Head): Head {
    this.#tooBrief += 1;
    const least = Number(head.headers.find(({ name }) => name === 'min-expires')?.value);
    const isUsable = Number.isInteger(least) && least > 0 && least <= longestSeconds && this.#tooBrief < mostTooBrief;
    if (!isUsable) this.#tooBrief = 0;
    return isUsable ? head : { ...head, headers: head.headers.filter(({ name }) => name !== 'min-expires') };
  }
}

function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value;
}

/** The contacts but ours are those of other telephones, or what a border controller calls us. */
function accepted(head: Head, own: Address): Head {
  const told = head.headers.filter(({ name }) => name === 'contact').flatMap(({ value }) => readAddresses(value));
  const ours = told.find(({ uri }) => userOf(uri) === userOf(own.uri));
  const least = secondsIn(parameterOf(ours?.parameters ?? '', 'expires'));
  const general = secondsIn(head.headers.find(({ name }) => name === 'expires')?.value ?? null);
  const asked = secondsIn(parameterOf(own.parameters, 'expires')) ?? usualSeconds;
  // Among several that are not ours, what was granted last has the longest to go;
  // nothing is granted for longer than it was asked for.
  const others = told
    .map(({ parameters }) => secondsIn(parameterOf(parameters, 'expires')))
    .filter((seconds) => seconds !== null && seconds <= asked);
  const seconds = least ?? general ?? (others.length === 0 ? asked : Math.max(...(others as number[])));
  const kept = ['pub-gruu', 'temp-gruu'].flatMap((name) => {
    const value = parameterOf(ours?.parameters ?? '', name);
    return value === null ? [] : [`;${name}="${value}"`];
  });
  const contact = `<${own.uri}>${kept.join('')};expires=${Math.min(seconds, longestSeconds)}`;
  return {
    ...head,
    headers: [...head.headers.filter(({ name }) => name !== 'contact'), { name: 'contact', value: contact }],
  };
}

/** Null: that is no time. None at all was granted where it is 0, which no accepted registration is. */
function secondsIn(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,9}$/.test(text.trim()) ? Number(text) : null;
}

function userOf(uri: string): string {
  return /^sips?:([^@;?]*)@/i.exec(uri)?.[1] ?? '';
}
