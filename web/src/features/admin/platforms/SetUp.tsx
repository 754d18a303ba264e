import { DataList, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PlatformRecipe } from '../../../../../src/contract/ctiRecipes.ts';
import { CopyField } from '../components/Copyable.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { recipeQuery } from './platformQueries.ts';
import { RecipeFiles } from './RecipeFiles.tsx';

const abilities = ['lookup', 'pop', 'events', 'states', 'set_states', 'dial'] as const;

/** What a platform can be made to do, how far that was proven, and what is to be set up there. */
export function SetUp({ connector }: { connector: string }) {
  const query = useQuery(recipeQuery(connector));
  return <Loaded query={query}>{(recipe) => <OneRecipe recipe={recipe} />}</Loaded>;
}

function OneRecipe({ recipe }: { recipe: PlatformRecipe }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Text size="sm">{recipe.summary}</Text>
      <Title order={3} size="h5">
        {t('platforms.recipe.can')}
      </Title>
      <DataList>
        {abilities.map((ability) => {
          const { note, proof } = recipe.abilities[ability];
          return (
            <DataList.Item key={ability}>
              <DataList.ItemLabel>{t(`platforms.recipe.ability.${ability}`)}</DataList.ItemLabel>
              <DataList.ItemValue>
                <span>
                  {t(`platforms.recipe.proof.${proof ?? 'none'}`)}. {note}
                </span>
              </DataList.ItemValue>
            </DataList.Item>
          );
        })}
      </DataList>
      <Text size="sm" c="dimmed">
        {t('platforms.recipe.live')} {t('platforms.recipe.english')}
      </Text>
      <List type="ordered" spacing="sm" styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
        {recipe.steps.map(({ text, title, value }) => (
          <List.Item key={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="sm">{text}</Text>
            {value !== null && <CopyField label={title} value={value} />}
          </List.Item>
        ))}
      </List>
      {recipe.files.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('platforms.recipe.files')}
          </Title>
          <RecipeFiles files={recipe.files} />
        </>
      )}
    </Stack>
  );
}
