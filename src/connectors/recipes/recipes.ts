import { avayaRecipe, breezeRecipe } from './avaya.ts';
import { ciscoRecipe } from './cisco.ts';
import { five9Recipe } from './five9.ts';
import { genesysRecipe } from './genesys.ts';
import { niceRecipe } from './nice.ts';
import { asteriskRecipe, noRecipe, pushRecipe } from './others.ts';
import type { Recipe } from './recipe.ts';
import { talkdeskRecipe } from './talkdesk.ts';
import { webexccRecipe } from './webexcc.ts';

/** Every connector of the catalog, by its id. */
export const recipes: ReadonlyMap<string, Recipe> = new Map(
  [
    genesysRecipe,
    avayaRecipe,
    breezeRecipe,
    ciscoRecipe,
    webexccRecipe,
    five9Recipe,
    niceRecipe,
    talkdeskRecipe,
    pushRecipe,
    asteriskRecipe,
    noRecipe,
  ].map((one) => [one.id, one]),
);
