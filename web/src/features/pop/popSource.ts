import type { PopSession, PopView } from '../../../../src/contract/pop.ts';
import { api, askOpen } from '../../lib/gateway/api.ts';

/** Reads the pop of a page. `isAgain`: what the gateway has by now. Throws ApiProblem. */
export type PopSource = (isAgain: boolean, signal: AbortSignal) => Promise<PopView>;

/** As who is signed in. */
export function signedInSource(phone: string, call: string | null): PopSource {
  return (isAgain, signal) => api.get<PopView>('/api/integrations/cti/pop', { phone, call: call ?? undefined, again: isAgain ? 'true' : undefined }, signal);
}

/** By a link, which is opened once. The token is kept by this page alone: a frame may have no storage, and a reload needs a new link. */
export function linkedSource(link: string): PopSource {
  let opening: Promise<PopSession> | null = null;
  return async (isAgain, signal) => {
    opening ??= askOpen<PopSession>('POST', '/api/integrations/cti/pop-sessions', { body: { link } });
    const { token } = await opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return askOpen<PopView>('GET', `/api/integrations/cti/pop-sessions${isAgain ? '?again=true' : ''}`, { headers: { 'x-pop-token': token }, signal });
  };
}
