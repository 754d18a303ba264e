import { Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallTag } from '../../../src/contract/calls.ts';

/** What a call is marked with; nothing where it has no tags. Gateways of before told none. */
export function TagList({ tags = [] }: { tags?: readonly CallTag[] | undefined }) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <Group component="ul" gap={4} p={0} m={0} aria-label={t('shared.tags.label')} style={{ listStyle: 'none' }}>
      {tags.map(({ code, label }) => (
        <li key={code ?? label}>
          <Badge variant="default" tt="none" radius="sm" fw={400}>
            <bdi>{label}</bdi>
          </Badge>
        </li>
      ))}
    </Group>
  );
}
