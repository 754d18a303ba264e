import type { Page, Request } from 'playwright-core';
import { eventually } from '../time/waiting.ts';

/**
 * What a page has asked the gateway for and not been answered yet. A test whose clock it moves itself waits for
 * `answered` before: a request under way would be told that it has taken minutes.
 */
export function requestsOf(page: Page): { answered(): Promise<void> } {
  const open = new Set<Request>();
  page.on('request', (request) => void (request.url().includes('/api/') && open.add(request)));
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  return { answered: () => eventually(() => open.size === 0) };
}
