// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { Problem } from '../../../../../web/src/features/admin/components/Loaded.tsx';
import { ApiProblem } from '../../../../../web/src/lib/gateway/apiProblem.ts';
import { show } from '../../../../support/components/page.tsx';

it.each([
  ['that nobody answered', new ApiProblem(0, { code: 'unreachable' }), 'No answer from the server. Try again.'],
  [
    'what a code means',
    new ApiProblem(503, { code: 'dependency_unavailable', detail: 'The database is away.' }),
    'A part of the service is unavailable. Try again shortly.',
  ],
  [
    'the gateway’s words where only they say it',
    new ApiProblem(409, { code: 'conflict', detail: 'The code a100 is taken.' }),
    'The code a100 is taken.',
  ],
  [
    'the gateway’s words for a code that the page does not know',
    new ApiProblem(409, { code: 'brand_new', detail: 'The moon is full.' }),
    'The moon is full.',
  ],
  [
    'that the page itself failed',
    new TypeError('x is undefined'),
    'Something went wrong on this page. Reload it and try again.',
  ],
])('a problem tells %s', (_what, error, told) => {
  expect(show(<Problem error={error} />).getByRole('alert').textContent).toBe(told);
});
