import { Badge } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import type { ScreenPop } from '../../../../src/contract/screenPops.ts';
import classes from './CustomerDetails.module.css';

/** A customer's tier, as their CRM calls it; nothing where there is none. */
export function Tier({ of: { vip_tier: tier } }: { of: Pick<ScreenPop, 'vip_tier'> }) {
  if (typeof tier !== 'string' || tier === '') return null;
  return (
    <Badge
      color="yellow"
      tt="none"
      radius="sm"
      className={classes.tier}
      leftSection={<IconStarFilled size={10} aria-hidden />}
    >
      {tier}
    </Badge>
  );
}
