import type { Place, Recipe, RecipeFile } from '../../connectors/recipes/recipe.ts';
import { recipes } from '../../connectors/recipes/recipes.ts';
import type { PlatformCatalog, PlatformRecipe } from '../../contract/ctiRecipes.ts';
import { recipeGaps } from '../../contract/platforms.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { ctiEventsPathOf } from './connections.ts';

/** Every connector, with what it can be made to do. */
export function readCatalog(): PlatformCatalog {
  return { connectors: [...recipes.values()].map(entryOf) };
}

/** What a platform needs, filled in for the company. @param publicUrl null: not known */
export function readRecipe(companyId: CompanyId, id: string, publicUrl: string | null): Outcome<PlatformRecipe> {
  const recipe = recipes.get(id);
  if (recipe === undefined) return noRecipe;
  const place = placeOf(companyId, id, publicUrl);
  const files = recipe.files(place).map(({ contentType, name, text }) => ({
    file_name: name,
    content_type: contentType,
    text,
    path: `/api/integrations/cti/connectors/${id}/files/${encodeURIComponent(name)}`,
  }));
  return ok({ ...entryOf(recipe), steps: recipe.steps(place), files, guide: `docs/connectors/${id}.md` });
}

/** One of its files. */
export function readRecipeFile(
  companyId: CompanyId,
  id: string,
  fileName: string,
  publicUrl: string | null,
): Outcome<RecipeFile> {
  const found = recipes
    .get(id)
    ?.files(placeOf(companyId, id, publicUrl))
    .find(({ name }) => name === fileName);
  return found === undefined ? noRecipe : ok(found);
}

function placeOf(companyId: CompanyId, id: string, publicUrl: string | null): Place {
  const gateway = publicUrl ?? recipeGaps.gateway;
  return {
    gateway,
    events: gateway + ctiEventsPathOf(id, recipeGaps.token),
    pop: `${gateway}/pop?company=${companyId}`,
  };
}

function entryOf({ abilities, id, name, summary }: Recipe) {
  return { id, name, summary, abilities };
}

const noRecipe = refuse('not_found', 'The catalog has no such connector, or the connector no such file.');
