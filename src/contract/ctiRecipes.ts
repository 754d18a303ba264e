import { z } from 'zod';

/**
 * The catalog of telephony platforms: what each can be made to do here, how far that was proven,
 * and what to set up there.
 */

const ability = z
  .object({
    proof: z
      .enum(['proven_form', 'proven_schema', 'proven_stub', 'live'])
      .nullable()
      .meta({
        description:
          'How far, without the vendor’s cloud: ' +
          '`proven_form` the platform’s requests were made in their exact form, ' +
          '`proven_schema` events made from its published schema were read, ' +
          '`proven_stub` requests to it were made to a stand-in; ' +
          '`live` it was seen there, which nothing was so far. Null: it cannot be done, or is not built; ' +
          '`note` says which',
      }),
    note: z.string(),
  })
  .meta({ id: 'PlatformAbility' });

const entry = {
  id: z.string().meta({ description: 'As in the address for events; `none` is the built-in softphone alone' }),
  name: z.string(),
  summary: z.string(),
  abilities: z.object({
    lookup: ability,
    pop: ability,
    events: ability,
    states: ability,
    set_states: ability,
    dial: ability,
  }),
};

export const platformCatalog = z.object({ connectors: z.array(z.object(entry)) }).meta({ id: 'PlatformCatalog' });
export type PlatformCatalog = z.infer<typeof platformCatalog>;

export const platformRecipe = z
  .object({
    ...entry,
    steps: z.array(
      z.object({
        title: z.string(),
        text: z.string(),
        value: z.string().nullable().meta({ description: 'What is typed or pasted there' }),
      }),
    ),
    files: z.array(
      z.object({
        file_name: z.string(),
        content_type: z.string(),
        text: z.string(),
        path: z.string().meta({ description: 'Where it is downloaded' }),
      }),
    ),
    guide: z.string().meta({ description: 'The page of the documentation' }),
  })
  .meta({ id: 'PlatformRecipe' });
export type PlatformRecipe = z.infer<typeof platformRecipe>;

export const recipeInPath = z.object({ connector: z.string().max(32) });
export const recipeFileInPath = z.object({ connector: z.string().max(32), file_name: z.string().max(200) });
