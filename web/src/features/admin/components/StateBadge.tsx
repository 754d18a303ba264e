import { Badge } from '@mantine/core';

type Props = { color: 'teal' | 'blue' | 'orange' | 'red' | 'gray'; children: string };

/** A state in a word; the dot's colour helps the eye, the word says it. */
export function StateBadge({ color, children }: Props) {
  return (
    <Badge
      variant="dot"
      tt="none"
      fw={500}
      miw="max-content"
      vars={() => ({ root: { '--badge-dot-color': `var(--mantine-color-${color}-text)` } })}
    >
      {children}
    </Badge>
  );
}
