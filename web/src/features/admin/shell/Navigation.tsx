import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { Role } from '../../../../../src/contract/vocabulary.ts';
import { destinations } from './destinations.ts';

type Props = { role: Role; onNavigate: () => void };

/** The way to each page that this role may see. */
export function Navigation({ role, onNavigate }: Props) {
  const [location] = useLocation();
  return destinations
    .filter(({ roles }) => roles.includes(role))
    .map(({ path, label, icon: Icon }) => {
      const isHere = location === path;
      return (
        <NavLink
          key={path}
          label={label}
          leftSection={<Icon size={16} stroke={1.75} />}
          active={isHere}
          aria-current={isHere ? 'page' : undefined}
          py={6}
          renderRoot={(props) => <Link {...props} href={path} onClick={onNavigate} />}
        />
      );
    });
}
