import { allIsWell, type SoftphonePage } from '../../browser/softphonePage.ts';
import { eventually } from '../../time/waiting.ts';
import type { Desk } from './desk.ts';

const names = { answer: 'Answer', decline: 'Decline', 'hang up': 'Hang up' } as const;
/** A button may go away under the finger, or the page be slow: then what is there is looked at again. Milliseconds. */
const pressWithinMs = 2_000;

/** The page in a browser. @param troubles what went wrong on it */
export function pageDesk(phone: SoftphonePage, troubles: () => string[]): Desk {
  const isVisible = (name: keyof typeof names) => phone.button(names[name]).isVisible();
  /** The call may end, and its button go, while it is pressed. */
  async function pressOrGone(what: keyof typeof names): Promise<void> {
    const button = phone.button(names[what]);
    await button.waitFor({ timeout: pressWithinMs });
    await eventually(async () => {
      if (await button.isVisible()) await button.click({ timeout: pressWithinMs });
    });
  }
  return {
    sees: async () => {
      const [canAnswer, canDecline, canHangUp] = await Promise.all([
        isVisible('answer'),
        isVisible('decline'),
        isVisible('hang up'),
      ]);
      if (canAnswer || canDecline) return 'ring';
      return canHangUp ? 'call' : 'nothing';
    },
    press: (what) => (what === 'answer' ? phone.button(names.answer).click() : pressOrGone(what)),
    dial: async (phoneNumber) => {
      await phone.number.fill(phoneNumber);
      await phone.number.press('Enter');
    },
    isConnected: () => phone.inCall('Connected'),
    isReady: async () => {
      await phone.page
        .locator('[data-testid=status-line][data-gateway=connected][data-telephone=ready]')
        .waitFor({ state: 'attached' });
      await eventually(async () => {
        if (await phone.state.getByText('Ready', { exact: true }).isVisible()) return true;
        await phone.button('Ready').click({ timeout: pressWithinMs });
        return false;
      });
    },
    isRegistered: async () => (await allIsWell(phone.page).count()) > 0,
    hurry: () => phone.page.evaluate(() => void dispatchEvent(new Event('online'))),
    troubles,
    shows: () => phone.page.locator('body').ariaSnapshot(),
  };
}
