import { Button, type ButtonProps } from '@mantine/core';

/** A list that is read page by page. */
export type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** `isWide`: as wide as what is around it. */
type Props = { query: Paged; text: string; isWide?: boolean; size?: ButtonProps['size'] };

/** Below a list: reads on when it is pressed. Nothing where the list is complete. */
export function MoreButton({ query, text, isWide = false, size = 'xs' }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="default"
      size={size}
      style={{ alignSelf: isWide ? undefined : 'center' }}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {text}
    </Button>
  );
}
