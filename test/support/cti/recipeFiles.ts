import { recipes } from '../../../src/connectors/recipes/recipes.ts';
import type { RecipeFile } from '../../../src/connectors/recipes/recipe.ts';

export const company = '01a1fd9a-df84-76de-b312-4c71c7114ef0';
export const gateway = 'https://readyline.example.com';

/** Where the gateway is of which the recipes are read. */
export const placeOf = (id: string) => ({
  gateway,
  events: `${gateway}/api/integrations/cti/events/${id}/YOUR-TOKEN`,
  pop: `${gateway}/pop?company=${company}`,
});

/** What a platform is given to take in, by name. */
export const filesOf = (id: string): Map<string, RecipeFile> =>
  new Map(
    recipes
      .get(id)!
      .files(placeOf(id))
      .map((file) => [file.name, file]),
  );
