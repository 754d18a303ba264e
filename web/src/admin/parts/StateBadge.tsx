import { Badge, type BadgeProps } from '@mantine/core';

type Props = { color: NonNullable<BadgeProps['color']>; children: string };

/** A state in a word; the dot's colour helps the eye, the word says it. */
export function StateBadge({ color, children }: Props) {
  return (
    <Badge variant="dot" color={color} tt="none" fw={500}>
      {children}
    </Badge>
  );
}
