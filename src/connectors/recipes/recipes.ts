import { ciscoRecipe, webexccRecipe } from './cisco.ts';
import { five9Recipe } from './five9.ts';
import { genesysRecipe } from './genesys.ts';
import { asteriskRecipe, avayaRecipe, niceRecipe, noRecipe, pushRecipe, talkdeskRecipe } from './others.ts';
import type { Recipe } from './recipe.ts';

/** Every connector of the catalog, by its id. */
export const recipes: ReadonlyMap<string, Recipe> = new Map(
  [genesysRecipe, avayaRecipe, ciscoRecipe, webexccRecipe, five9Recipe, niceRecipe, talkdeskRecipe, pushRecipe, asteriskRecipe, noRecipe].map((one) => [one.id, one]),
);
