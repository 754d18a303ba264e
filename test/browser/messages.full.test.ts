import { expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { useSoftphoneRoom } from './softphoneRoom.ts';

const room = useSoftphoneRoom();

it('lets a supervisor write to a team of which one is on a call and one is away, and both get it once', async () => {
  const { gateway, company, browser } = room;
  const { phone, agent: talking } = await room.inCall();
  const away = await room.newAgent();
  await gateway.as(company).patch(`/api/agents/${away.id}`).send({ name: 'Ángela Núñez' }).expect(200);
  await gateway
    .as(company)
    .post('/api/teams')
    .send({ code: 'sales', name: 'Ventas Málaga', agent_ids: [talking.id, away.id] })
    .expect(201);
  const boss = await gateway.agent(company, 'boss', 'supervisor');

  const live = await (await browser.profile()).open(`${gateway.url}/admin/live`);
  await setSize(live, 'desk');
  await signIn(live, boss, company.slug);
  await live.getByRole('button', { name: 'Messages' }).click();
  const dialog = live.getByRole('dialog', { name: 'Messages' });
  await dialog.getByRole('combobox', { name: 'To' }).fill('malaga');
  await live.getByRole('option', { name: 'Team Ventas Málaga' }).click();
  await dialog
    .getByRole('textbox', { name: 'Message' })
    .fill('The new price list counts from noon on.\nAsk Grace if you are in doubt.');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('Sent to 2 people.').waitFor();
  await dialog.getByText('0 of 2 have read it').waitFor();

  // In the call: below what is about the call, which has not moved.
  const { page } = phone;
  const callPanel = page.getByRole('region', { name: 'Call', exact: true });
  const shown = page.getByTestId('messages');
  await shown.getByText('to the team').waitFor();
  const [panelBox, shownBox] = [await callPanel.boundingBox(), await shown.boundingBox()];
  expect(shownBox!.y).toBeGreaterThanOrEqual(panelBox!.y + panelBox!.height);
  await phone.fits();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'in a call');
  }
  await shown.getByRole('button', { name: 'Read: message from Agent boss' }).click();
  await shown.waitFor({ state: 'detached' });
  await phone.inCall('Connected');
  await dialog.getByText('1 of 2 have read it').waitFor();
  await dialog.getByRole('button', { name: /^Not read by/ }).click();
  await dialog.getByText('Ángela Núñez').waitFor();
  for (const size of ['desk', 'panel'] as const) {
    await setSize(live, size);
    expect(await seriousFindings(live)).toEqual([]);
    await shot(live, `written, ${size}`);
  }
  await setSize(live, 'desk');

  // Who was away has it at the next sign-in, over a reload, until it is read.
  const late = new SoftphonePage(await (await browser.profile()).open(`${gateway.url}/`));
  await late.enter(away, company);
  const waiting = late.page.getByTestId('messages');
  await waiting.getByRole('blockquote').getByText('The new price list').waitFor();
  await late.page.reload();
  await waiting.getByRole('button', { name: /^Read/ }).click();
  await waiting.waitFor({ state: 'detached' });
  await dialog.getByText('2 of 2 have read it').waitFor();
  await late.page.reload();
  await late.connected();

  // Nothing came again: the next one is alone.
  await gateway
    .as(boss)
    .post('/api/messages')
    .send({ text: 'Thank you', to: { agent_id: away.id } })
    .expect(201);
  await waiting.getByRole('blockquote').getByText('Thank you').waitFor();
  expect(await waiting.getByRole('listitem').count()).toBe(1);

  // Meanwhile each sees what the other is doing.
  await late.page.getByRole('button', { name: 'Colleagues' }).click();
  const colleagues = late.page.getByRole('dialog', { name: 'Colleagues' });
  await colleagues.getByRole('listitem').filter({ hasText: 'On call' }).waitFor();
  await colleagues.getByRole('searchbox').fill('bo');
  await colleagues.getByText('Agent boss').waitFor();
  expect(await seriousFindings(late.page)).toEqual([]);
  await shot(late.page, 'colleagues');
  await late.fits();
});
