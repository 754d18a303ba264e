import { useCallback, useEffect, useState } from 'react';
import type { DemoCustomer, DemoStart } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';

export type DemoStarting = {
  /** Null: not answered yet, or refused. */
  start: DemoStart | null;
  /** What was thrown; null: nothing. */
  problem: unknown;
  retry: () => void;
  /** One that was pushed since; above the others, and once. */
  addCustomer: (customer: DemoCustomer) => void;
};

/** Makes the company ready for the demo, once per visit. @param token of the admin who is signed in */
export function useDemoStart(token: string): DemoStarting {
  const [start, setStart] = useState<DemoStart | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    startOnce(`${token} ${attempt}`).then(
      (answer) => isCurrent && setStart(answer),
      (error: unknown) => isCurrent && setProblem(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [token, attempt]);

  const retry = useCallback(() => {
    setProblem(null);
    setAttempt((before) => before + 1);
  }, []);
  const addCustomer = useCallback((customer: DemoCustomer) => {
    setStart((before) => {
      if (before === null) return null;
      const others = before.customers.filter(({ phone_number }) => phone_number !== customer.phone_number);
      return { ...before, customers: [customer, ...others] };
    });
  }, []);
  return { start, problem, retry, addCustomer };
}

/** The answer may hold a key that is shown once: a second request of the same visit must not take its place. */
let started: { visit: string; answer: Promise<DemoStart> } | null = null;

function startOnce(visit: string): Promise<DemoStart> {
  if (started?.visit !== visit) started = { visit, answer: api.post<DemoStart>('/demo/start') };
  return started.answer;
}
