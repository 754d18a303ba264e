import { configure, cleanup, render, type RenderResult } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import type { Catalog } from '../../../web/src/lib/i18n/catalog.ts';
import { startTexts } from '../../../web/src/lib/i18n/texts.ts';
import { theme } from '../../../web/src/shared/theme.ts';
import { wholePatienceMs } from '../time/pace.ts';
import { isFromElsewhere, ownTest } from './ownTest.ts';

/** Of a component shown without a browser: what is on it is found as a person finds it, and used as with hands. */
export type ShownPage = RenderResult & { user: UserEvent; change: (part: ReactElement) => void };

configure({ asyncUtilTimeout: wholePatienceMs(), getElementError: (message) => new Error(message ?? 'not found') });
// What Mantine asks of a browser, and happy-dom has not.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });
window.ResizeObserver = class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
Element.prototype.scrollIntoView = () => {};
// Asked by a text area that grows.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

const catalogs = import.meta.glob<Record<string, unknown>>('../../../web/src/locales/en/*.json', {
  eager: true,
  import: 'default',
});
/** The English of all areas, by their names. */
export const english: Partial<Catalog> = Object.fromEntries(
  Object.entries(catalogs).map(([path, texts]) => [path.split('/').at(-1)!.replace('.json', ''), texts]),
);
await startTexts(english);

/**
 * Shows a component in the look and the English of the pages; taken away after the test. The test's file begins with
 * `// @vitest-environment happy-dom`. @param around what the component looks for around it
 */
export function show(part: ReactElement, around: (part: ReactNode) => ReactNode = (inner) => inner): ShownPage {
  ownTest();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // Without the styles of the look: each of them would be reckoned with whenever something is looked for.
  const whole = (inner: ReactElement) => (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <Notifications />
      <QueryClientProvider client={queries}>{around(inner)}</QueryClientProvider>
    </MantineProvider>
  );
  const shown = render(whole(part));
  onTestFinished(() => {
    cleanup();
    notifications.clean();
    queries.clear();
    sessionStorage.clear();
    localStorage.clear();
  });
  return Object.assign(shown, {
    user: userEvent.setup({ delay: null }),
    change: (next: ReactElement) => shown.rerender(whole(next)),
  });
}

export type AskedRequest = { method: string; path: string; body: unknown };

/** Answers what the page of this test asks the gateway. @returns what was asked, in order */
export function answerRequests(
  answer: (asked: AskedRequest) => { status: number; body: object } | Promise<{ status: number; body: object }>,
): AskedRequest[] {
  const owner = ownTest();
  const requests: AskedRequest[] = [];
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (path, init) => {
    // The pages ask by path, and send text.
    const request = {
      method: init?.method ?? 'GET',
      path: path as string,
      body: JSON.parse((init?.body ?? 'null') as string) as unknown,
    };
    if (isFromElsewhere(owner, `asked ${request.method} ${request.path}`)) throw new TypeError('that test is over');
    requests.push(request);
    const { status, body } = await answer(request);
    return Response.json(body, { status });
  });
  onTestFinished(() => asked.mockRestore());
  return requests;
}
