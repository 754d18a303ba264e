// @vitest-environment happy-dom
import { waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { usualSettings } from '../../../../../src/contract/companySettings.ts';
import { CompanyPage } from '../../../../../web/src/features/admin/company/CompanyPage.tsx';
import { refused, showInConsole, storeBehind } from '../../../../support/components/console.tsx';
import { later } from '../../../../support/components/hook.ts';

const company = {
  slug: 'acme',
  name: 'Acme',
  ...usualSettings,
  dispositions: [{ code: 'resolved', label: 'Resolved', requires_callback_at: false }],
} as CompanyView;
const saved = 'The company is saved.';

/** The page, with the parts of one of its forms. */
async function open(section = 'Company') {
  const gateway = storeBehind(company);
  const page = showInConsole(<CompanyPage />);
  const form = within(await page.findByRole('region', { name: section }));
  const field = (label: string) => form.getByLabelText(label);
  const press = (name: string) => page.user.click(form.getByRole('button', { name }));
  async function fill(label: string, text: string): Promise<void> {
    await page.user.clear(field(label));
    await page.user.type(field(label), text);
  }
  return { gateway, page, form, field, fill, press };
}

describe('a form of the console', () => {
  it('saves what was changed, and nothing else', async () => {
    const { gateway, page, form, fill, press } = await open();
    expect(form.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await fill('Name', 'Acme Ltd');
    await press('Save');
    await page.findByText(saved);
    expect(gateway.changes).toEqual([{ name: 'Acme Ltd' }]);
    await waitFor(() => expect(form.queryByRole('button', { name: 'Discard changes' })).toBeNull());
  });

  it('says which contacts agents see, and whose callbacks are, in the words of each choice', async () => {
    const { gateway, page, form, press } = await open();
    const choose = async (label: string, from: string, to: string) => {
      const field = form.getByRole('combobox', { name: label }) as HTMLInputElement;
      expect(field.value).toBe(from);
      await page.user.click(field);
      await page.user.click(await page.findByRole('option', { name: to }));
    };
    await choose('Agents see', 'All contacts', 'Their own and those of nobody');
    await choose('Callbacks belong to', 'The agent who had the call', 'Anyone who takes them');
    await press('Save');
    await page.findByText(saved);
    expect(gateway.changes).toEqual([{ contact_scope: 'own', callback_assignee: 'anyone' }]);
  });

  it('names the lines that customers call', async () => {
    const { gateway, page, fill, press } = await open('Lines');
    await fill('Name 1', 'Sales Germany');
    await fill('Phone number 1', '+49 30 123456');
    await press('Save');
    await page.findByText('The lines are saved; softphones have them at once.');
    expect(gateway.changes).toEqual([{ lines: [{ name: 'Sales Germany', phone_number: '+49 30 123456' }] }]);
  });

  it('shows what is refused at its field alone, until that is changed', async () => {
    const { gateway, page, form, field, fill, press } = await open();
    gateway.next(() => refused({ wrap_up_seconds: 'is more than anybody needs' }));
    await fill('Wrap-up time', '3000');
    await press('Save');
    await form.findByText('Is more than anybody needs.');
    expect(field('Wrap-up time').getAttribute('aria-invalid')).toBe('true');
    expect(field('Name').getAttribute('aria-invalid')).not.toBe('true');
    expect(page.queryByRole('alert')).toBeNull();
    await fill('Wrap-up time', '300');
    expect(form.queryByText('Is more than anybody needs.')).toBeNull();
    await press('Save');
    await page.findByText(saved);
  });

  it('says what no field can say, keeps what was typed, and saves it the next time', async () => {
    const { gateway, page, form, field, fill, press } = await open();
    gateway.next(() => Promise.reject(new TypeError('fetch failed')));
    await fill('Name', 'Acme Ltd');
    await press('Save');
    expect((await form.findByRole('alert')).textContent).toBe('No answer from the server. Try again.');
    expect(field('Name')).toHaveProperty('value', 'Acme Ltd');
    await press('Save');
    await page.findByText(saved);
    expect(form.queryByRole('alert')).toBeNull();
    expect(gateway.changes).toEqual([{ name: 'Acme Ltd' }, { name: 'Acme Ltd' }]);
  });

  it('is saved once, however often it is submitted meanwhile', async () => {
    const { gateway, page, field, fill, press } = await open();
    const answer = later<void>();
    gateway.next(() => answer.promise as never);
    await fill('Name', 'Acme Ltd');
    await press('Save');
    await page.user.type(field('Name'), '{Enter}');
    answer.resolve();
    await page.findByText(saved);
    expect(gateway.changes).toEqual([{ name: 'Acme Ltd' }]);
  });

  it('goes back to what is saved', async () => {
    const { form, field, fill, press } = await open();
    await fill('Name', 'Something else');
    await press('Discard changes');
    expect(field('Name')).toHaveProperty('value', 'Acme');
    expect(form.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  });

  it('asks before it is left unsaved, and is as it was for who stays', async () => {
    const { page, field, fill } = await open();
    await fill('Name', 'Acme Ltd');
    await page.leave();
    await page.findByRole('dialog', { name: 'Leave without saving?' });
    await page.user.click(page.getByRole('button', { name: 'Stay' }));
    await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
    expect(field('Name')).toHaveProperty('value', 'Acme Ltd');
    await page.leave();
    await page.user.click(await page.findByRole('button', { name: 'Leave without saving' }));
    await page.findByRole('heading', { name: 'Another page' });
  });

  it('is left without a question once it is saved', async () => {
    const { page, form, fill, press } = await open();
    await fill('Name', 'Acme Ltd');
    await press('Save');
    await waitFor(() => expect(form.queryByRole('button', { name: 'Discard changes' })).toBeNull());
    await page.leave();
    await page.findByRole('heading', { name: 'Another page' });
  });
});

describe('a list of codes', () => {
  it('shows at its row what can be seen to be wrong, and sends nothing', async () => {
    const { gateway, form, page, press } = await open('Dispositions');
    await press('Add a disposition');
    await press('Save');
    await form.findByText('Enter a label.');
    await page.user.type(form.getByLabelText('Label of disposition 2'), 'Resolved');
    await page.user.tab();
    expect(form.getByLabelText('Code of disposition 2')).toHaveProperty('value', 'resolved');
    await press('Save');
    await form.findByText('Row 1 has this code already.');
    expect(gateway.changes).toEqual([]);
  });

  it('shows at its row what the gateway refuses', async () => {
    const { gateway, form, page, press } = await open('Not Ready reasons');
    await press('Add a reason');
    expect(document.activeElement).toBe(form.getByLabelText('Label of reason 1'));
    await page.user.keyboard('Break');
    await page.user.tab();
    gateway.next(() => refused({ 'not_ready_reasons[0].code': 'is reserved' }));
    await press('Save');
    await form.findByText('Is reserved.');
    expect(form.getByLabelText('Label of reason 1').getAttribute('aria-invalid')).toBe('true');
    expect(form.queryByRole('alert')).toBeNull();
    expect(gateway.changes).toEqual([{ not_ready_reasons: [{ code: 'break', label: 'Break' }] }]);
  });

  it('is one of the tags, too, beside which agents may be allowed words of their own', async () => {
    const tags = await open('Tags');
    await tags.press('Add a tag');
    await tags.page.user.keyboard('Price question');
    await tags.page.user.tab();
    await tags.press('Save');
    await tags.page.findByText(/^The tags are saved/);
    await tags.page.user.click(
      within(tags.page.getByRole('region', { name: 'Company' })).getByRole('checkbox', { name: 'Tags of their own' }),
    );
    await tags.page.user.click(
      within(tags.page.getByRole('region', { name: 'Company' })).getByRole('button', { name: 'Save' }),
    );
    await tags.page.findByText(saved);
    expect(tags.gateway.changes).toEqual([
      { tags: [{ code: 'price_question', label: 'Price question' }] },
      { free_tags: true },
    ]);
  });

  it('is ordered by the keyboard, which stays with the row', async () => {
    const { gateway, form, page, press } = await open('Dispositions');
    await press('Add a disposition');
    await page.user.keyboard('Sent an offer');
    await page.user.tab();
    await press('Move disposition 2 up');
    expect(document.activeElement?.getAttribute('data-part')).toBe('label');
    await press('Save');
    await waitFor(() =>
      expect(gateway.changes).toEqual([
        {
          dispositions: [
            { code: 'sent_an_offer', label: 'Sent an offer', requires_callback_at: false },
            { code: 'resolved', label: 'Resolved', requires_callback_at: false },
          ],
        },
      ]),
    );
    expect(form.getByLabelText('Label of disposition 1')).toHaveProperty('value', 'Sent an offer');
  });
});
