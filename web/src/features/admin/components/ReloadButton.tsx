import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

type Props = { query: { isFetching: boolean; refetch: () => unknown } };

/** Asks the gateway again. */
export function ReloadButton({ query }: Props) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      Reload
    </Button>
  );
}
