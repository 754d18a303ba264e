// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { cameLate } from '../support/cameLate.ts';
import { later } from '../support/components/hook.ts';
import { answerRequests } from '../support/components/page.tsx';

const answered = { status: 200, body: {} };

describe('a page that does something after its test', () => {
  const answer = later<void>();
  let asked: Promise<unknown> = Promise.resolve();
  const fired: string[] = [];

  it('is begun here', () => {
    answerRequests(() => answered);
    asked = answer.promise.then(() => fetch('/api/late'));
    setTimeout(() => fired.push('a timer'), 1);
  });

  it('is refused there, and told by the name of its own', async () => {
    const requests = answerRequests(() => answered);
    answer.resolve();
    await expect(asked).rejects.toThrow('that test is over');
    await fetch('/api/mine');
    expect(requests.map(({ path }) => path)).toEqual(['/api/mine']);
    expect(cameLate.splice(0)).toEqual([expect.stringMatching(/lateRequests.* is begun here: asked GET \/api\/late$/)]);
    // A timer of this test that was begun behind the other one.
    await new Promise<void>((resolve) => void setTimeout(resolve, 2));
    expect(fired).toEqual([]);
  });
});
