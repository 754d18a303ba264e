import type { Principal } from '../../domain/access.ts';
import { refuse } from '../../domain/outcome.ts';
import type { ContactScope } from '../../ports/contacts.ts';
import type { Services } from '../services.ts';

/**
 * Whose contacts a caller sees: an agent perhaps only its own and those of nobody, as the company chooses;
 * everyone else all.
 */
export async function scopeOf({ companyOf }: Pick<Services, 'companyOf'>, principal: Principal): Promise<ContactScope> {
  if (principal.kind !== 'agent' || principal.role !== 'agent') return 'all';
  const { settings } = await companyOf(principal.companyId);
  return settings.contact_scope === 'own' ? { ownerId: principal.agentId } : 'all';
}

/** A page cannot go on where it is asked to. */
export const otherList = refuse('invalid_request', 'The cursor is none of this list.', {
  errors: [{ path: 'cursor', message: 'is none of a list that is sorted so', code: 'invalid' }],
});

/** The same for one that does not exist, of another company, and of a colleague: nobody learns which. */
export const noSuchContact = refuse('not_found', 'The company has no such contact, or it is not shown to you.');
