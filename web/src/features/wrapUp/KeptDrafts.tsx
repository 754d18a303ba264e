import { useKeptDrafts } from './useKeptDrafts.ts';

/** Shows nothing: see useKeptDrafts. */
export function KeptDrafts({ isPassive }: { isPassive: boolean }) {
  useKeptDrafts(isPassive);
  return null;
}
