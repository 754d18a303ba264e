import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { EmbedMessage, EmbedRequest, EmbedState } from '../../../src/contract/embed.ts';
import type { CrmScreenPop } from '../../../src/contract/socket.ts';

/** The softphone in its frame: what it tells, as it tells it. */
export function useSoftphone(listener: {
  onState: (before: EmbedState | null, now: EmbedState) => void;
  onPop: (pop: CrmScreenPop) => void;
}): { frame: RefObject<HTMLIFrameElement | null>; state: EmbedState | null; askState: () => void } {
  const frame = useRef<HTMLIFrameElement>(null);
  const last = useRef<EmbedState | null>(null);
  const [state, setState] = useState<EmbedState | null>(null);

  const take = useEffectEvent((message: EmbedMessage) => {
    if (message.type === 'readyline:pop') listener.onPop(message.pop);
    if (message.type !== 'readyline:state') return;
    listener.onState(last.current, message.state);
    last.current = message.state;
    setState(message.state);
  });

  const askState = useCallback(() => {
    const request: EmbedRequest = { type: 'readyline:read_state' };
    frame.current?.contentWindow?.postMessage(request, window.location.origin);
  }, []);

  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>) => {
      // Of this frame alone, and only while it shows the softphone of this gateway.
      if (event.source !== frame.current?.contentWindow || event.origin !== window.location.origin) return;
      take(event.data as EmbedMessage);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  return { frame, state, askState };
}
