import type { FrameLocator, Locator, Page } from 'playwright-core';
import { signIn } from './browser.ts';
import type { Gateway, TestAgent, TestCompany } from '../gateway/gateway.ts';

/**
 * Its status line while it is connected and its phone is ready, when there is nothing to read there.
 * @param page or a frame of one
 */
export function allIsWell(page: Pick<Page, 'locator'> | FrameLocator): Locator {
  return page.locator('[data-testid=status-line][data-gateway=connected][data-telephone=ready]');
}

/** The softphone page of one agent, as the agent finds its way about it. */
export class SoftphonePage {
  readonly page: Page;
  readonly state: Locator;
  readonly status: Locator;
  readonly callState: Locator;
  readonly card: Locator;
  readonly wrapUp: Locator;
  readonly recent: Locator;
  readonly number: Locator;

  constructor(page: Page) {
    this.page = page;
    this.state = page.getByTestId('agent-state');
    this.status = page.getByTestId('status-line');
    this.callState = page.getByTestId('call-state');
    this.card = page.getByTestId('customer-card');
    this.wrapUp = page.getByTestId('wrap-up');
    this.recent = page.getByRole('region', { name: 'Recent calls' });
    this.number = page.getByRole('combobox', { name: 'Name or phone number' });
    // Leaving a page in mid-call asks first.
    page.on('dialog', (dialog) => void dialog.accept());
  }

  /**
   * The page's worker tells it of pages that come: a reload is no end. The page has asked the worker before this does,
   * so its answer has come before this one's.
   */
  async isWatched(): Promise<void> {
    await this.page.evaluate(async () => {
      const { serviceWorker } = navigator;
      await serviceWorker.ready;
      if (serviceWorker.controller === null)
        await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
      await new Promise((resolve) => {
        serviceWorker.addEventListener('message', resolve, { once: true });
        serviceWorker.controller?.postMessage({ softphone: 'here' });
      });
    });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The customer's name, or what stands for it: once, with the call, its wrap-up, or what is known of the customer. */
  customer(name: string): Locator {
    return this.page.getByRole('main').getByRole('heading', { name, level: 2, exact: true });
  }

  /** Signs in, and waits until calls can be made. */
  async enter(agent: TestAgent, company: TestCompany): Promise<void> {
    await signIn(this.page, agent, company.slug);
    await this.connected();
  }

  /** Until it is connected, with a phone. */
  async connected(): Promise<void> {
    await allIsWell(this.page).waitFor({ state: 'attached' });
  }

  async goReady(): Promise<void> {
    await this.button('Ready').click();
    await this.state.getByText('Ready', { exact: true }).waitFor();
  }

  /** Waits until the call is there. */
  async inCall(state: string): Promise<void> {
    await this.callState.getByText(state, { exact: true }).waitFor();
  }

  /** Chooses a disposition and saves. */
  async wrapUpAs(label: string): Promise<void> {
    await this.wrapUp.getByRole('radio', { name: label }).check();
    await this.wrapUp.getByRole('button', { name: 'Save' }).click();
    await this.wrapUp.waitFor({ state: 'detached' });
  }

  /** Throws where something reaches beyond the right edge. */
  async fits(): Promise<void> {
    const overhang = await this.page.locator('html').evaluate((page) => page.scrollWidth - page.clientWidth);
    if (overhang > 0) throw new Error(`the page reaches ${String(overhang)} px beyond its right edge`);
  }
}

/** Pushes a customer's record as the CRM does. */
export async function push(gateway: Gateway, company: TestCompany, body: object): Promise<void> {
  await gateway.api.post('/api/integrations/inbound').set('X-Service-Api-Key', company.key).send(body).expect(200);
}

/** A customer calls an agent through the carrier. Resolves, when the ringing is over, with what came of it. */
export async function ring(
  gateway: Gateway,
  company: TestCompany,
  agent: TestAgent,
  caller: { from: string; name?: string },
): Promise<string> {
  const answer = await gateway
    .as(company)
    .post('/demo/ring')
    .send({ agent_code: agent.agentCode, ...caller })
    .expect(200);
  return answer.body.result;
}
