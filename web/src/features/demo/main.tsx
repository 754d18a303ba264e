import '@mantine/core/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { logIn } from '../../lib/gateway/api.ts';
import { makeQueryClient } from '../../lib/gateway/queryClient.ts';
import { setSignIn, signInSoftphone } from '../../lib/gateway/signIn.ts';
import { startTexts } from '../../lib/i18n/texts.ts';
import demo from '../../locales/en/demo.json';
import shared from '../../locales/en/shared.json';
import { mount } from '../../shared/mount.tsx';
import { DemoPage } from './DemoPage.tsx';

// At once, before anything else can read the address.
const link = takeLink();
const entering = link === null ? null : signInByLink(link);
void startTexts({ demo, shared }).then(() => show());

function show(): void {
  mount(
    <QueryClientProvider client={makeQueryClient()}>
      <DemoPage entering={entering} />
    </QueryClientProvider>,
  );
}

/** Passwords of the demo company's admin and of its agent a100, as the terminal prints them. */
type DemoLink = { admin: string; agent: string };

/** What the address says behind `#`, which is never sent anywhere; taken out of the address. Null: nothing. */
function takeLink(): DemoLink | null {
  const said = new URLSearchParams(window.location.hash.slice(1));
  const [admin, agent] = [said.get('admin'), said.get('agent')];
  if (admin === null || agent === null) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return { admin, agent };
}

/** Signs in the admin on the side of the CRM, and the agent on the softphone. Throws ApiProblem. */
async function signInByLink({ admin, agent }: DemoLink): Promise<void> {
  const crm = await logIn({ email: 'admin@demo.example', password: admin });
  signInSoftphone(await logIn({ agent_code: 'a100', password: agent, company_slug: crm.agent.company_slug }));
  setSignIn(crm);
}
