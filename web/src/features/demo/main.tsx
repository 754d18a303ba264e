import '@mantine/core/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { makeQueryClient } from '../../lib/gateway/queryClient.ts';
import { startTexts } from '../../lib/i18n/texts.ts';
import demo from '../../locales/en/demo.json';
import shared from '../../locales/en/shared.json';
import { mount } from '../../shared/mount.tsx';
import { DemoPage } from './DemoPage.tsx';
import { signInByLink, takeLink } from './link.ts';

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
