import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';

type Catalog = readonly { id: string; name: string; connection: string; detail: string }[];

/** What choosing that entry does, where it is less than its name promises; null: nothing to say. */
export function labelNote(catalog: Catalog, id: string | null): string | null {
  const chosen = catalog.find((entry) => entry.id === id);
  return chosen?.connection === 'not_connected' ? chosen.detail : null;
}

/** The chosen CRM and connector with which nothing is exchanged, by name. */
export function unconnectedNames({ integration, providers, cti_connectors: connectors }: IntegrationOverview): string[] {
  const chosen = [
    providers.find(({ id }) => id === integration.crm_provider),
    connectors.find(({ id }) => id === integration.cti_connector),
  ];
  return chosen.flatMap((entry) => (entry?.connection === 'not_connected' ? [entry.name] : []));
}
