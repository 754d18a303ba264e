import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { ColorSchemeToggle } from '../../../shared/ColorSchemeToggle.tsx';
import { Account } from './Account.tsx';
import { Navigation } from './Navigation.tsx';
import { Pages } from './Pages.tsx';

type Props = { agent: SignedInAgent; onSignOut: () => void };

/** What stands around every page of the console. */
export function Shell({ agent, onSignOut }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 44 }}
      navbar={{ width: 184, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      transitionDuration={0}
    >
      <AppShell.Header px="sm">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" aria-expanded={isOpen} />
            <img src="/icon.svg" alt="" width={20} height={20} />
            <Text fw={600}>Readyline</Text>
            <Text c="dimmed" visibleFrom="xs">
              {agent.company_slug}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeToggle />
            <Account agent={agent} onSignOut={onSignOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Console">
        <ScrollArea>
          <Navigation role={agent.role} onNavigate={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Pages agent={agent} />
      </AppShell.Main>
    </AppShell>
  );
}
