// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { ApiProblem } from '../../../../web/src/lib/gateway/apiProblem.ts';
import { ContactForm } from '../../../../web/src/features/contacts/ContactForm.tsx';
import { emptyValues } from '../../../../web/src/features/contacts/contactForm.ts';
import { SharedWith } from '../../../../web/src/features/contacts/SharedWith.tsx';
import { answerRequests, show } from '../../../support/components/page.tsx';

it('a number says who else has it, and leads there', () => {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <SharedWith
          others={[
            { id: 'vincent', name: 'Vincent' },
            { id: 'somebody', name: null },
          ]}
        />
      ),
    },
  ]);
  const page = show(<RouterProvider router={router} />);
  expect(page.getByRole('link', { name: 'Vincent' }).getAttribute('href')).toBe('/contacts/vincent');
  expect(page.getByRole('link', { name: 'a contact without a name' }).getAttribute('href')).toBe('/contacts/somebody');
});

it('the form leads to a contact that may be the same person, and saves another one when somebody says so', async () => {
  answerRequests(() => ({ status: 200, body: { colleagues: [], organisations: [] } }));
  const saved: unknown[] = [];
  const taken = new ApiProblem(409, {
    code: 'conflict',
    detail: 'taken',
    errors: [{ path: 'phones', message: 'taken', code: 'phone_taken', params: { contact_id: 'grace' } }],
  });
  const save = (how: string) => (values: { phones: { value: string }[] }) =>
    void saved.push([how, values.phones[0]?.value]);
  const form = (
    <ContactForm
      initial={emptyValues('+493012000001')}
      fields={[]}
      error={taken}
      isSaving={false}
      saveText="Create"
      onSave={save('as it is')}
      onSaveAnother={save('as another')}
      onCancel={() => undefined}
    />
  );
  const page = show(<RouterProvider router={createMemoryRouter([{ path: '/', element: form }])} />);
  expect(page.getByRole('link', { name: 'Open that contact' }).getAttribute('href')).toBe('/contacts/grace');
  await page.user.click(page.getByRole('button', { name: 'Save as another person' }));
  expect(saved).toEqual([['as another', '+493012000001']]);
});
