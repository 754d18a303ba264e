import { z } from 'zod';
import { platformCatalog, platformRecipe, recipeFileInPath, recipeInPath } from '../../contract/ctiRecipes.ts';
import { adminToken } from '../../domain/access.ts';
import { readCatalog, readRecipe, readRecipeFile } from '../../usecases/cti/readRecipe.ts';
import { reply, replyWith, replyWithText, route } from '../route.ts';

const tag = 'Telephony platforms';

/** To be saved, whatever is in it. */
const fileType = 'application/octet-stream';

/** What telephony platforms need, to be looked up and downloaded. */
export const ctiRecipeRoutes = [
  route({
    method: 'get',
    path: '/api/integrations/cti/connectors',
    id: 'listConnectors',
    summary: 'The catalog of telephony platforms',
    description:
      'What each can be made to do with the gateway, and how far that was proven without the vendor’s cloud.',
    tag,
    access: adminToken,
    answers: { 200: platformCatalog },
    handler: async () => Promise.resolve(reply(200, readCatalog())),
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/connectors/{connector}',
    id: 'readConnector',
    summary: 'What a telephony platform needs',
    description:
      'Steps, and files to import, with this installation’s addresses. ' +
      'The token of the company’s own address is shown when it is made, ' +
      'and nowhere else: put it in the place of `YOUR-TOKEN`. No file holds the company key.',
    tag,
    access: adminToken,
    params: recipeInPath,
    answers: { 200: platformRecipe },
    refusals: ['not_found'],
    handler: async ({ platform, principal, params }) =>
      Promise.resolve(replyWith(200, readRecipe(principal.companyId, params.connector, platform.publicUrl))),
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/connectors/{connector}/files/{file_name}',
    id: 'downloadConnectorFile',
    summary: 'A file for a telephony platform',
    tag,
    access: adminToken,
    params: recipeFileInPath,
    answers: { 200: z.string() },
    file: fileType,
    refusals: ['not_found'],
    handler: async ({ platform, principal, params }) => {
      const found = readRecipeFile(principal.companyId, params.connector, params.file_name, platform.publicUrl);
      return Promise.resolve(
        found.kind === 'refused' ? found : replyWithText(200, fileType, once(found.value.text), found.value.name),
      );
    },
  }),
];

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
