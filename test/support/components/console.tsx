import type { ReactElement } from 'react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
import type { SignedInAgent } from '../../../src/contract/auth.ts';
import { AccountContext } from '../../../web/src/features/admin/shell/accountContext.ts';
import { LeaveDialog } from '../../../web/src/features/admin/shell/leaveGuard.tsx';
import { answerRequests, type AskedRequest, show, type ShownPage } from './page.tsx';

const admin = {
  id: 'the admin',
  agent_code: 'admin',
  name: 'Administrator',
  role: 'admin',
  company_slug: 'acme',
} as SignedInAgent;

function Frame() {
  return (
    <>
      <Link to="/elsewhere">Elsewhere</Link>
      <Outlet />
      <LeaveDialog />
    </>
  );
}

/** Shows a page of the console to an admin. A link leads to another page: `leave` follows it. */
export function showInConsole(page: ReactElement): ShownPage & { leave: () => Promise<void> } {
  const router = createMemoryRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: page },
        { path: '/elsewhere', element: <h1>Another page</h1> },
      ],
    },
  ]);
  const shown = show(<RouterProvider router={router} />, (inner) => (
    <AccountContext value={{ agent: admin, onSignOut: () => {} }}>{inner}</AccountContext>
  ));
  return Object.assign(shown, { leave: () => shown.user.click(shown.getByRole('link', { name: 'Elsewhere' })) });
}

type Answer = { status: number; body: object };

/** The gateway's answer to a body that it refuses, by the paths of its fields. */
export function refused(errors: Record<string, string>, status = 400): Answer {
  return {
    status,
    body: {
      code: 'invalid_request',
      detail: 'The body does not fit.',
      errors: Object.entries(errors).map(([path, message]) => ({ path, message })),
    },
  };
}

type Stored<T extends object> = {
  /** What is stored; a test may change it as another admin would. */
  stored: T;
  /** Changes that were asked for, in order. */
  changes: unknown[];
  /** Answers the next change in place of saving it; a promise: when the test lets it. */
  next: (answer: () => Answer | Promise<Answer>) => void;
};

/** A gateway that stores one thing: reads tell it, changes become a part of it. */
export function storeBehind<T extends object>(
  stored: T,
  save: (stored: T, change: AskedRequest) => T = (before, { body }) => ({ ...before, ...(body as T) }),
): Stored<T> {
  const gateway: Stored<T> = { stored, changes: [], next: (answer) => answers.push(answer) };
  const answers: (() => Answer | Promise<Answer>)[] = [];
  answerRequests(async (asked) => {
    if (asked.method === 'GET') return { status: 200, body: gateway.stored };
    gateway.changes.push(asked.body);
    const answer = await answers.shift()?.();
    if (answer !== undefined && answer.status >= 300) return answer;
    gateway.stored = save(gateway.stored, asked);
    return { status: 200, body: answer?.body ?? gateway.stored };
  });
  return gateway;
}
