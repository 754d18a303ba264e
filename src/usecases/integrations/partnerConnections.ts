import { crmAbilities } from '../../contract/crm.ts';
import { z } from 'zod';
import type { IntegrationOverview, PartnerConnection } from '../../contract/integrations.ts';
import { platformName } from '../../contract/platforms.ts';
import { ctiConnectors, type CrmProvider, type CtiConnector } from '../../contract/vocabulary.ts';
import { asSentence } from '../../domain/outcome.ts';
import type { CrmConnection, CrmProviders, PreparedLogin } from '../../ports/crm.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import { signerOf } from '../crm/inbound/addresses.ts';

type Told = { connection: PartnerConnection; detail: string };

const notChosen: Told = { connection: 'not_chosen', detail: 'Nothing is chosen.' };
const byInterface: Told = {
  connection: 'by_interface',
  detail: 'Your CRM sends requests with the API key, and gets webhooks.',
};

/**
 * What is exchanged with the chosen CRM.
 * @param id null: none is chosen
 * @param connection as it is stored, of whichever provider
 * @param login prepared and not completed, at whichever provider; a connection counts before it
 */
export function crmConnection(
  id: CrmProvider | null,
  { byId }: CrmProviders,
  connection: CrmConnection | null,
  login: PreparedLogin | null,
): Told {
  if (id === null) return notChosen;
  const name = byId.get(id)?.name ?? id;
  if (connection?.provider === id) {
    if (connection.attention === null) {
      return {
        connection: 'connected',
        detail: `Connected as ${connection.account}: in mode “pull”, callers who were not pushed are looked up there.`,
      };
    }
    return {
      connection: 'needs_attention',
      detail:
        `${name} refuses the credentials: ${asSentence(connection.attention)} ` +
        'Nothing is looked up there until they are given anew.',
    };
  }
  if (connection === null && login?.provider === id) {
    return {
      connection: 'needs_login',
      detail: `${name} waits for an admin to log in there: until then nothing is looked up or logged.`,
    };
  }
  if (id === 'custom') return byInterface;
  if (!byId.has(id)) {
    return {
      connection: 'not_connected',
      detail:
        `${name} is named in webhooks: nothing is exchanged with it. ` +
        'A program of your own connects it, by this interface.',
    };
  }
  return {
    connection: 'not_connected',
    detail: `${name} is chosen, not connected: nothing is looked up or logged there.`,
  };
}

/**
 * What is exchanged with telephony platforms: with all that are connected, whichever webhooks name.
 * @param id whom webhooks name; null: nobody is chosen
 */
export function ctiConnection(id: CtiConnector | null, connections: readonly CtiConnection[]): Told {
  const isNamedAlone = id !== null && id !== 'none' && connections.every(({ connector }) => connector !== id);
  const namedAlone: Told[] = isNamedAlone
    ? [
        {
          connection: 'not_connected',
          detail:
            `${platformName(id)} is named in webhooks. Its calls and the states of its agents come in once it is ` +
            'connected: see docs/integrating/telephony-platforms.md.',
        },
      ]
    : [];
  const told = [...connections.map(platformConnection), ...namedAlone];
  const first = told.find(({ connection }) => connection === 'needs_attention') ?? told[0];
  if (first !== undefined) {
    return { connection: first.connection, detail: told.map(({ detail }) => detail).join(' ') };
  }
  return id === null ? notChosen : { connection: 'built_in', detail: 'Agents telephone with the built-in softphone.' };
}

function platformConnection({ connector, listenerError, lastReceivedAt }: CtiConnection): Told {
  const name = platformName(connector);
  if (listenerError !== null) {
    return { connection: 'needs_attention', detail: `${name} cannot be listened to: ${asSentence(listenerError)}` };
  }
  return {
    connection: 'connected',
    detail:
      lastReceivedAt === null
        ? `${name} is connected, and has told nothing yet.`
        : `${name} is connected: its calls and the states of its agents come in.`,
  };
}

/** The CRM systems to choose from: what choosing each does, and what connecting it takes and brings. */
export function crmCatalog(known: CrmProviders): IntegrationOverview['providers'] {
  return [...known.byId.values()].map((provider) => ({
    id: provider.id,
    name: provider.name,
    ...crmConnection(provider.id, known, null, null),
    abilities: [...crmAbilities],
    credentials: schemaOf(provider.credentials),
    options: schemaOf(provider.options),
    authorization: provider.authorization !== null,
    once: provider.logRequests.once,
    inbound: { signs: signerOf(provider) },
    guide: `docs/providers/${provider.id}.md`,
  }));
}

/** As the console renders it; `$schema` says nothing to it. */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

/** The telephony platforms that webhooks may name, each with what choosing it does. */
export const ctiCatalog = ctiConnectors.map((one) => ({ ...one, ...ctiConnection(one.id, []) }));
