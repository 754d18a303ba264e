import type { Answer, Heard } from '../http/fakeServer.ts';
import { DialingPlatform } from './dialingPlatform.ts';

const xml = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body,
});
const finesseError = (status: number, type: string) =>
  xml(
    status,
    `<ApiErrors><ApiError><ErrorType>${type}</ErrorType><ErrorMessage>HTTP Status code: ` +
      `${status}</ErrorMessage><ErrorData></ErrorData></ApiError></ApiErrors>`,
  );

/** Finesse, as far as agents who are signed in make calls. Its dialogs have ids of which its answer says nothing. */
export class FakeFinesse extends DialingPlatform {
  readonly connector = 'cisco';
  readonly words = /Invalid State/;
  readonly wrongSettings = {};
  readonly #logIn = { extension: '1001001', password: 'pass&word' };
  override readonly wrongAgentSettings = { password: 'another' };
  override readonly namesCalls = false;
  override readonly states: { agent: string; state: string }[] = [];

  static start(): Promise<FakeFinesse> {
    return new FakeFinesse().listen();
  }

  get settings() {
    return { url: this.url, prefix: '9' };
  }

  override logInOf() {
    return this.#logIn;
  }

  isDial({ path }: Heard): boolean {
    return path.endsWith('/Dialogs');
  }

  override isState({ method }: Heard): boolean {
    return method === 'PUT';
  }

  expireTokens(): void {
    // It has none.
  }

  protected answer({ body, headers, method, path }: Heard): Answer {
    const [, user, isDialogs] = /^\/finesse\/api\/User\/([^/]+)(\/Dialogs)?$/.exec(path) ?? [];
    if (user === undefined) return finesseError(404, 'Not Found');
    const agent = decodeURIComponent(user);
    if (headers['authorization'] !== `Basic ${btoa(`${agent}:${this.#logIn.password}`)}` || !this.agents.has(agent))
      return finesseError(401, 'Authorization Failure');
    if (method === 'GET' && isDialogs === undefined) {
      return xml(
        200,
        `<User><loginId>${agent}</loginId><extension>${this.#logIn.extension}</extension><state>READY</state></User>`,
      );
    }
    if (method === 'PUT' && isDialogs === undefined) return this.#setState(agent, headers['content-type'], body);
    if (method !== 'POST' || isDialogs === undefined) return finesseError(405, 'Method Not Allowed');
    return this.#call(agent, headers['content-type'], body);
  }

  #setState(agent: string, type: string | undefined, body: string): Answer {
    const [, state] = /^<User><state>(READY|NOT_READY)<\/state><\/User>$/.exec(body) ?? [];
    if (type !== 'application/xml' || state === undefined) return finesseError(400, 'Invalid Input');
    if (this.busy.has(agent)) return finesseError(400, 'Invalid State');
    this.states.push({ agent, state });
    return { status: 202, body: '' };
  }

  #call(agent: string, type: string | undefined, body: string): Answer {
    const [, from, to] =
      /^<Dialog><requestedAction>MAKE_CALL<\/requestedAction><fromAddress>([^<]*)<\/fromAddress><toAddress>([^<]*)<\/toAddress><\/Dialog>$/.exec(
        body,
      ) ?? [];
    if (type !== 'application/xml' || from === undefined) return finesseError(400, 'Parameter Missing');
    // It converts no plus, and calls from nowhere but where the agent is signed in.
    if (from !== this.#logIn.extension || !/^9\d{3,20}$/.test(to ?? ''))
      return finesseError(400, 'Invalid Destination');
    if (this.busy.has(agent)) return finesseError(400, 'Invalid State');
    this.dialed.push({ callId: String(16_777_217 + this.dialed.length), agent, phone: `+${(to ?? '').slice(1)}` });
    return { status: 202, body: '' };
  }
}
