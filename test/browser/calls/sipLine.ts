import type { Page, WebSocketRoute } from 'playwright-core';
import { eventually } from '../../support/time/waiting.ts';

/** For machines that do many other things. */

/** The line between a page and its PBX: it can be cut, and some requests answered in the PBX's stead. */
export class SipLine {
  /** What the page has said, in order. */
  readonly said: string[] = [];
  /** What the PBX has said. */
  readonly heard: string[] = [];
  #isCut = false;
  #status: (request: string) => string | null = () => null;
  #isKept: (request: string) => boolean = () => false;
  readonly #kept: (() => void)[] = [];
  readonly #ends = new Set<WebSocketRoute>();
  #page: WebSocketRoute | null = null;
  readonly #through: { through: (message: string) => Promise<string> } | null;
  #delivered: Promise<unknown> = Promise.resolve();

  /** @param through what becomes of what the PBX says before the page hears of it */
  constructor(through: ((message: string) => Promise<string>) | null = null) {
    this.#through = through === null ? null : { through };
  }

  /** Puts itself between; to be called before the page is loaded. */
  async on(page: Page): Promise<void> {
    await page.routeWebSocket('**/demo/sip', (line) => this.#carry(line));
  }

  /** Closes it, and every one that the page opens until it is mended. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await Promise.all([...this.#ends].map((end) => end.close()));
    this.#ends.clear();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** @param status such as `488 Not Acceptable Here`; null: the PBX answers itself */
  refuse(status: (request: string) => string | null): void {
    this.#status = status;
  }

  /** The PBX hears of what fits only when it is let go. */
  keep(isKept: (request: string) => boolean): void {
    this.#isKept = isKept;
  }

  letGo(): void {
    this.#isKept = () => false;
    for (const send of this.#kept.splice(0)) send();
  }

  /** Says to the page what the PBX has not. */
  tell(message: string): void {
    this.#page?.send(message);
  }

  /** Waits until the page has said what fits. */
  says(what: RegExp, after = 0): Promise<string> {
    return sought(this.said, what, after);
  }

  /** Waits until the PBX has said what fits. */
  hears(what: RegExp, after = 0): Promise<string> {
    return sought(this.heard, what, after);
  }

  #carry(line: WebSocketRoute): void {
    if (this.#isCut) return void line.close();
    const pbx = line.connectToServer();
    this.#ends.add(line).add(pbx);
    this.#page = line;
    line.onMessage((message) => {
      const text = String(message);
      this.said.push(text);
      const status = text.startsWith('ACK') ? null : this.#status(text);
      if (status !== null) line.send(refusalOf(text, status));
      else if (this.#isKept(text)) this.#kept.push(() => pbx.send(text));
      else pbx.send(text);
    });
    pbx.onMessage((message) => {
      this.heard.push(String(message));
      if (this.#through === null) return void line.send(message);
      // One after the other, as they came.
      const { through } = this.#through;
      this.#delivered = this.#delivered.then(async () => line.send(await through(String(message))));
    });
  }
}

function sought(texts: string[], what: RegExp, after: number): Promise<string> {
  return eventually(() => {
    const found = texts.slice(after).find((text) => what.test(text));
    if (found === undefined) throw new Error(`${String(what)} is not among ${texts.slice(after).join('\n')}`);
    return found;
  });
}

function refusalOf(request: string, status: string): string {
  const kept = request.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line));
  const lines = kept.map((line) => (/^to:/i.test(line) && !line.includes(';tag=') ? `${line};tag=refused` : line));
  return [`SIP/2.0 ${status}`, ...lines, 'Content-Length: 0', '', ''].join('\r\n');
}
