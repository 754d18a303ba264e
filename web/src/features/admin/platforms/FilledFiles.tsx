import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { IssuedCtiConnection } from '../../../../../src/contract/ctiConnections.ts';
import { recipeGaps } from '../../../../../src/contract/platforms.ts';
import { recipeQuery } from './platformQueries.ts';
import { RecipeFiles } from './RecipeFiles.tsx';

/**
 * The files for a platform with what was just issued in them, which only this page has.
 * Nothing while they are not there, or where there are none with a gap.
 */
export function FilledFiles({ issued: { connector, secret, token } }: { issued: IssuedCtiConnection }) {
  const { t } = useTranslation();
  const { data } = useQuery(recipeQuery(connector));
  const files = (data?.files ?? []).filter(
    ({ text }) => text.includes(recipeGaps.token) || text.includes(recipeGaps.secret),
  );
  if (files.length === 0) return null;
  const filled = (text: string) => {
    const withToken = text.replaceAll(recipeGaps.token, token).replaceAll(recipeGaps.gateway, location.origin);
    return secret === null ? withToken : withToken.replaceAll(recipeGaps.secret, secret);
  };
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t(secret === null ? 'platforms.shown.files' : 'platforms.shown.filesWithSecret')}
      </Text>
      <RecipeFiles files={files} filled={filled} />
    </Stack>
  );
}
