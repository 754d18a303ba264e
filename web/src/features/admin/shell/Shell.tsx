import { AppShell, Burger, Button, Group, Menu, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconKey, IconLogout, IconPhone } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import type { Role } from '../../../../../src/contract/vocabulary.ts';
import { setSignIn } from '../../../lib/gateway/signIn.ts';
import { LanguageMenu } from '../../../lib/i18n/LanguageMenu.tsx';
import { ChangePassword } from '../../../shared/ChangePassword.tsx';
import { askToLeave } from '../../../shared/form/leaveGuard.ts';
import { ColorSchemeToggle } from '../../../shared/ColorSchemeToggle.tsx';
import { companyQuery } from '../../../shared/sharedQueries.ts';
import { useAccount } from './accountContext.ts';
import { destinations } from './destinations.tsx';
import { LeaveDialog } from './leaveGuard.tsx';

/** What stands around every page of the console. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { agent, onSignOut } = useAccount();
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
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('admin.shell.navigation')}
              aria-expanded={isOpen}
            />
            <img src="/icon.svg" alt="" width={20} height={20} />
            <Text fw={600}>Readyline</Text>
            <Text c="dimmed" visibleFrom="xs">
              {agent.company_slug}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LanguageMenu />
            <ColorSchemeToggle />
            <Account agent={agent} onSignOut={onSignOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('admin.shell.console')}>
        <ScrollArea>
          <Navigation role={agent.role} onNavigate={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>{children}</AppShell.Main>
      <LeaveDialog />
    </AppShell>
  );
}

type AccountProps = { agent: SignedInAgent; onSignOut: () => void };

/** Who is signed in, their password, and the way out. */
function Account({ agent, onSignOut }: AccountProps) {
  const { t } = useTranslation();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            rightSection={<IconChevronDown size={14} />}
            maw={200}
          >
            {agent.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {t('admin.shell.account', { code: agent.agent_code, role: t(`admin.roles.${agent.role}`) })}
          </Menu.Label>
          <Menu.Item component="a" href="/" leftSection={<IconPhone size={16} />}>
            {t('admin.shell.softphone')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setChanging(true)}>
            {t('admin.shell.changePassword')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => askToLeave(onSignOut)}>
            {t('admin.shell.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword isOpen={isChanging} onClose={() => setChanging(false)} onChanged={setSignIn} />
    </>
  );
}

type NavigationProps = { role: Role; onNavigate: () => void };

/** The way to each page that this role may see. */
function Navigation({ role, onNavigate }: NavigationProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const company = useQuery(companyQuery).data;
  return destinations
    .filter(({ roles, page }) => roles.includes(role) && (page !== undefined || company?.contacts === true))
    .map(({ path, name, icon: Icon, page }) => {
      const isHere = pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
      const look = {
        label: t(`admin.pages.${name}`),
        leftSection: <Icon size={16} stroke={1.75} />,
        active: isHere,
        'aria-current': isHere ? ('page' as const) : undefined,
        py: 6,
      };
      if (page === undefined) return <NavLink key={path} {...look} href={path} />;
      return (
        <NavLink key={path} {...look} renderRoot={(props) => <Link {...props} to={path} onClick={onNavigate} />} />
      );
    });
}
