import type { PartnerConnection } from '../../contract/integrations.ts';
import { crmProviders, ctiConnectors, type CrmProvider, type CtiConnector } from '../../contract/vocabulary.ts';

type Told = { connection: PartnerConnection; detail: string };

const notChosen: Told = { connection: 'not_chosen', detail: 'Nothing is chosen.' };

/** What choosing that CRM does; null: none is chosen. */
export function crmConnection(id: CrmProvider | null): Told {
  if (id === null) return notChosen;
  if (id === 'custom') {
    return { connection: 'by_interface', detail: 'Your CRM sends requests with the API key, and gets webhooks.' };
  }
  return labelOnly(crmProviders.find((one) => one.id === id)?.name ?? id);
}

/** What choosing that connector does; null: none is chosen. */
export function ctiConnection(id: CtiConnector | null): Told {
  if (id === null) return notChosen;
  if (id === 'none') return { connection: 'built_in', detail: 'Agents telephone with the built-in softphone.' };
  return labelOnly(ctiConnectors.find((one) => one.id === id)?.name ?? id);
}

/** While the gateway connects to none of them itself. */
function labelOnly(name: string): Told {
  const detail = `${name} is a label in webhooks for now: nothing is exchanged with it. A program of your own connects it, by this interface.`;
  return { connection: 'not_connected', detail };
}

/** The catalogs, each entry with what choosing it does. */
export const crmCatalog = crmProviders.map((one) => ({ ...one, ...crmConnection(one.id) }));
export const ctiCatalog = ctiConnectors.map((one) => ({ ...one, ...ctiConnection(one.id) }));
