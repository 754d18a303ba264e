import type { PopLayout, SavePopLayoutRequest } from '../../contract/popLayout.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { StoredPopLayout } from '../../ports/popLayouts.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'contacts' | 'popLayouts' | 'companyOf'>;

/** How the company's screen pops show their fields. */
export async function readPopLayout(services: Needs, companyId: CompanyId): Promise<PopLayout> {
  const { fields, version, updatedAt } = await services.popLayouts.find(companyId);
  return {
    version,
    fields,
    contact_fields: await contactFields(services, companyId),
    updated_at: updatedAt?.toISOString() ?? null,
  };
}

/** The company's own fields that stand on the screen pop of a contact. */
async function contactFields(
  { companyOf, contacts }: Pick<Services, 'contacts' | 'companyOf'>,
  companyId: CompanyId,
): Promise<PopLayout['contact_fields']> {
  if (!(await companyOf(companyId)).hasContacts) return [];
  return contacts.popFields(companyId);
}

/**
 * Arranges them anew, and tells every softphone of the company.
 * Refuses what is based on another version than the one there is now.
 * @param expected the version that the caller has read; null: whatever it is
 */
export async function savePopLayout(
  services: Needs & Pick<Services, 'clock' | 'softphones'>,
  companyId: CompanyId,
  { fields }: Pick<SavePopLayoutRequest, 'fields'>,
  expected: number | null,
): Promise<Outcome<PopLayout>> {
  const { clock, popLayouts, softphones } = services;
  const { version: before } = await popLayouts.find(companyId);
  if (expected !== null && expected !== before) return changedMeanwhile(before);
  const updatedAt = new Date(clock.now());
  const next: StoredPopLayout & { updatedAt: Date } = { fields, version: before + 1, updatedAt };
  if (!(await popLayouts.save(companyId, next))) return changedMeanwhile((await popLayouts.find(companyId)).version);
  softphones.settingsChanged(companyId);
  return ok({
    version: next.version,
    fields,
    contact_fields: await contactFields(services, companyId),
    updated_at: updatedAt.toISOString(),
  });
}

function changedMeanwhile(version: number): Refused {
  return refuse('conflict', `The layout was changed meanwhile; it is at version ${version} now.`, {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}
