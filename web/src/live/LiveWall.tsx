import { Title } from '@mantine/core';

/** The live wall: who is in which state for how long, and which calls are in progress. For supervisors. */
export function LiveWall() {
  return <Title order={1}>Live</Title>;
}
