import { Skeleton, Stack } from '@mantine/core';

/** Stands for what is being fetched. */
export function Waiting() {
  return (
    <Stack component="output" aria-busy="true" aria-label="Loading" maw={720}>
      <Skeleton h={22} w={180} />
      <Skeleton h={90} />
      <Skeleton h={90} />
    </Stack>
  );
}
