// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { NewCustomer } from '../../../../web/src/features/demo/NewCustomer.tsx';
import { answerRequests, show } from '../../../support/components/page.tsx';
import { eventually } from '../../../support/time/waiting.ts';

it('pushes a customer once, and says at the field what is no phone number', async () => {
  const answers = [
    {
      status: 400,
      body: { code: 'invalid_phone', detail: 'No.', errors: [{ path: 'phone_number', message: 'is no phone number' }] },
    },
  ];
  const requests = answerRequests(() => answers.shift() ?? { status: 200, body: { phone_number: '+15551231969' } });
  const pushed: object[] = [];
  const page = show(<NewCustomer onPushed={(customer) => pushed.push(customer)} />);
  const push = page.getByRole('button');
  const number = page.getByDisplayValue('+1 555 123 1969');
  await page.user.click(push);
  await page.findByText(/is no phone number/i);
  expect(number.getAttribute('aria-invalid')).toBe('true');
  await page.user.dblClick(push);
  await eventually(() =>
    expect(pushed).toEqual([
      {
        phone_number: '+15551231969',
        name: 'Margaret Hamilton',
        company: 'Tranquility Software',
        tier: 'gold',
        behaviour: 'answers',
      },
    ]),
  );
  expect(requests.map(({ path, body }) => [path, body])).toEqual(
    Array.from({ length: 2 }, () => [
      '/api/integrations/inbound',
      {
        phone_number: '+1 555 123 1969',
        data: { name: 'Margaret Hamilton', company: 'Tranquility Software' },
        external_system: 'demo-crm',
        tier: 'gold',
      },
    ]),
  );
});
