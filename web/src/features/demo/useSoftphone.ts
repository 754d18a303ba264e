import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { embedSoftphone, type CrmScreenPop, type EmbedState } from '../../../../src/client/embed.ts';

type Listener = {
  onState: (before: EmbedState | null, now: EmbedState) => void;
  /** Open this customer's record. */
  onPop: (pop: CrmScreenPop) => void;
};

/** The softphone in a frame of this page, as any CRM would hold it. Null until it has told. */
export function useSoftphone(listener: Listener): { frame: RefObject<HTMLIFrameElement | null>; state: EmbedState | null } {
  const frame = useRef<HTMLIFrameElement>(null);
  const last = useRef<EmbedState | null>(null);
  const [state, setState] = useState<EmbedState | null>(null);

  const takeState = useEffectEvent((now: EmbedState) => {
    listener.onState(last.current, now);
    last.current = now;
    setState(now);
  });
  const takePop = useEffectEvent((pop: CrmScreenPop) => listener.onPop(pop));

  useEffect(() => {
    if (frame.current === null) return;
    const softphone = embedSoftphone(frame.current, { origin: window.location.origin });
    softphone.onState((now) => takeState(now));
    softphone.onPop((pop) => takePop(pop));
    return () => softphone.close();
  }, []);

  return { frame, state };
}
