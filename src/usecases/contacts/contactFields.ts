import type { CreateFieldRequest, FieldView, UpdateFieldRequest } from '../../contract/contactFields.ts';
import { mostFields } from '../../contract/contacts.ts';
import type { ContactField } from '../../domain/contacts.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'contacts'>;
/** Screen pops show fields by their labels and kinds: softphones are told. */
type Changing = Needs & Pick<Services, 'softphones'>;

const noSuchField = refuse('not_found', 'The company has no such field.');

/** The fields of contacts that the company has defined, in their order. */
export async function listFields({ contacts }: Needs, companyId: CompanyId): Promise<{ fields: FieldView[] }> {
  return { fields: (await contacts.fields(companyId)).map(fieldView) };
}

/** Defines a field. Refuses a key that the company has already. */
export async function createField(
  { contacts, softphones }: Changing,
  companyId: CompanyId,
  body: CreateFieldRequest,
): Promise<Outcome<FieldView>> {
  const { key, label, kind, choices = null, position, on_pop: onPop } = body;
  const field: ContactField = { key, label, kind, choices, position, onPop, version: 1 };
  switch (await contacts.createField(companyId, field, mostFields)) {
    case 'created':
      if (onPop) softphones.settingsChanged(companyId);
      return ok(fieldView(field));
    case 'taken':
      return refuse('conflict', 'The company has a field of this key.', {
        errors: [{ path: 'key', message: 'is taken', code: 'taken' }],
      });
    case 'too_many':
      return refuse('conflict', `A company has at most ${mostFields} fields.`, {
        cause: { code: 'too_many_fields', params: { max: mostFields } },
      });
  }
}

/**
 * Changes a field; its key and kind stay. A choice that is taken away stays where it was chosen.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updateField(
  { contacts, softphones }: Changing,
  companyId: CompanyId,
  key: string,
  body: UpdateFieldRequest,
  expected: number | null,
): Promise<Outcome<FieldView>> {
  const find = async () => (await contacts.fields(companyId)).find((each) => each.key === key);
  const field = await find();
  if (field === undefined) return noSuchField;
  if (expected !== null && expected !== field.version) return changedMeanwhile(field);
  if (body.choices !== undefined && field.kind !== 'choice') {
    return refuse('invalid_request', 'Only a choice has choices.', {
      errors: [
        { path: 'choices', message: 'are needed for a choice, and for nothing else', code: 'choices_of_choice' },
      ],
    });
  }
  const { label, choices, position, on_pop: onPop } = body;
  const updated = await contacts.updateField(
    companyId,
    key,
    {
      ...(label === undefined ? {} : { label }),
      ...(choices === undefined ? {} : { choices }),
      ...(position === undefined ? {} : { position }),
      ...(onPop === undefined ? {} : { onPop }),
    },
    expected,
  );
  if (updated === null) {
    const now = await find();
    return now === undefined ? noSuchField : changedMeanwhile(now);
  }
  if (updated.label !== field.label || updated.onPop !== field.onPop) softphones.settingsChanged(companyId);
  return ok(fieldView(updated));
}

/** Removes a field. What contacts hold in it is shown again when one of this key is made. */
export async function removeField(
  { contacts, softphones }: Changing,
  companyId: CompanyId,
  key: string,
): Promise<Outcome<null>> {
  if (!(await contacts.removeField(companyId, key))) return noSuchField;
  softphones.settingsChanged(companyId);
  return ok(null);
}

function changedMeanwhile({ version }: ContactField) {
  return refuse('conflict', 'The field was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}

function fieldView({ key, label, kind, choices, position, onPop, version }: ContactField): FieldView {
  return { key, label, kind, choices, position, on_pop: onPop, version };
}
