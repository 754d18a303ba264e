import { Anchor, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PlatformRecipe } from '../../../../../src/contract/ctiRecipes.ts';

/** Files for a platform, to be saved. @param filled what is to stand in one, of what the gateway gave */
export function RecipeFiles({
  files,
  filled = (text) => text,
}: {
  files: PlatformRecipe['files'];
  filled?: (text: string) => string;
}) {
  const { t } = useTranslation();
  return (
    <List size="sm">
      {files.map(({ file_name: file, text }) => (
        <List.Item key={file}>
          <Anchor component="button" type="button" size="sm" onClick={() => save(file, filled(text))}>
            {t('platforms.recipe.download', { file })}
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}

/** Has the browser save a text under that name. */
function save(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
