import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

type Props = {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
};

/**
 * Below a list: reads on by itself as it comes into sight, or when it is pressed. Nothing where the list is complete.
 */
export function More({ query }: Props) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWaiting || button.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) fetchNextPage();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isWaiting, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      mt="sm"
      loading={isFetchingNextPage}
      onClick={() => fetchNextPage()}
    >
      {t('crmArea.shell.more')}
    </Button>
  );
}
