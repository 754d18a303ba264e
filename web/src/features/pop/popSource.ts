import type { PopSession, PopView } from '../../../../src/contract/pop.ts';
import { api, askOpen } from '../../lib/gateway/api.ts';
import { type ExactAnswer, readExactAnswer } from '../../shared/customerDetails/exactAnswer.ts';

/** `isAgain`: what the gateway has by now. `layout`: the version that the page has; undefined: none. */
type Asked = { isAgain: boolean; layout: number | undefined };

/** Reads the pop of a page. Throws ApiProblem. */
export type PopSource = (asked: Asked, signal: AbortSignal) => Promise<ExactAnswer<PopView>>;

/** As who is signed in. @param company whose page it is; null: anybody's */
export function signedInSource(phone: string, call: string | null, company: string | null): PopSource {
  return (asked, signal) =>
    api.get<PopView>(
      '/api/integrations/cti/pop',
      { phone, call: call ?? undefined, company: company ?? undefined, ...queryOf(asked) },
      signal,
      readExactAnswer,
    );
}

/**
 * By a link, which is opened once. The token is kept by this page alone: a frame may have no storage,
 * and a reload needs a new link.
 */
export function linkedSource(link: string): PopSource {
  let opening: Promise<PopSession> | null = null;
  return async (asked, signal) => {
    opening ??= askOpen<PopSession>('POST', '/api/integrations/cti/pop-sessions', { body: { link } });
    const { token } = await opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
    const query = new URLSearchParams(queryOf(asked)).toString();
    return askOpen<PopView>('GET', `/api/integrations/cti/pop-sessions${query === '' ? '' : `?${query}`}`, {
      headers: { 'x-pop-token': token },
      signal,
      read: readExactAnswer,
    });
  };
}

function queryOf({ isAgain, layout }: Asked): Record<string, string> {
  return { ...(isAgain ? { again: 'true' } : {}), ...(layout === undefined ? {} : { layout: String(layout) }) };
}
