import { ciscoRecipe, webexccRecipe } from './cisco.ts';
import { genesysRecipe } from './genesys.ts';
import { asteriskRecipe, avayaRecipe, five9Recipe, niceRecipe, noRecipe, pushRecipe, talkdeskRecipe } from './others.ts';
import type { Recipe } from './recipe.ts';

/** Every connector of the catalog, by its id. */
export const recipes: ReadonlyMap<string, Recipe> = new Map(
  [genesysRecipe, avayaRecipe, ciscoRecipe, webexccRecipe, five9Recipe, niceRecipe, talkdeskRecipe, pushRecipe, asteriskRecipe, noRecipe].map((one) => [one.id, one]),
);
