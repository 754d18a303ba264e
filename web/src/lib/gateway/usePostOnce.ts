import { useRef } from 'react';
import { api } from './api.ts';

/**
 * What makes something, by one request: the same one sent again, as after an answer that was lost,
 * makes nothing a second time. Once it has succeeded it does.
 */
export function usePostOnce(): <R>(path: string, body: object) => Promise<R> {
  const sent = useRef({ request: '', key: '' });
  return async <R>(path: string, body: object) => {
    const request = `${path} ${JSON.stringify(body)}`;
    if (sent.current.request !== request) sent.current = { request, key: crypto.randomUUID() };
    const made = await api.post<R>(path, body, { 'idempotency-key': sent.current.key });
    sent.current = { request: '', key: '' };
    return made;
  };
}
