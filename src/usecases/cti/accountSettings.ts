import type { AccountField, AccountSettings } from '../../connectors/accounts/platformAccount.ts';
import type { AccountFieldView } from '../../contract/ctiConnections.ts';
import type { FieldError } from '../../contract/fieldErrors.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { Services } from '../services.ts';

/** Settings of an account as they are kept: sealed, for that one context. */
export function sealSettings(cipher: SecretCipher, settings: AccountSettings, context: string): string {
  return cipher.encrypt(JSON.stringify(settings), context);
}

/** What was sealed; null: nothing is set, or it cannot be opened any more: the key of this gateway is another. */
export function openSettings(cipher: SecretCipher, sealed: string | null, context: string): AccountSettings | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(cipher.decrypt(sealed, context)) as AccountSettings;
  } catch {
    return null;
  }
}

/** What of it may be shown. */
export function withoutSecrets(
  fields: readonly AccountField[],
  settings: AccountSettings | null,
): Record<string, string> | null {
  if (settings === null) return null;
  return Object.fromEntries(
    fields
      .filter(({ isSecret }) => !isSecret)
      .flatMap(({ name }) => (settings[name] === undefined ? [] : [[name, settings[name]] as const])),
  );
}

export function fieldView({ choices, example, isOptional, isSecret, name }: AccountField): AccountFieldView {
  return {
    name,
    is_secret: isSecret,
    is_optional: isOptional,
    choices: choices === null ? null : [...choices],
    example,
  };
}

/**
 * The settings as they are to be kept. A secret that is left out stays as it is,
 * but only with the address that it was given for: it must not be sent to another. Refuses with `invalid_request`.
 */
export async function readAccountSettings(
  { urlGuard }: Pick<Services, 'urlGuard'>,
  fields: readonly AccountField[],
  stored: AccountSettings | null,
  given: Record<string, string>,
): Promise<Outcome<AccountSettings>> {
  const isMoved = fields.some(({ isUrl, name }) => isUrl && given[name] !== stored?.[name]);
  const errors: FieldError[] = Object.keys(given)
    .filter((name) => fields.every((field) => field.name !== name))
    .map((name) => ({ path: `account.${name}`, message: 'is not a setting of this platform', code: 'unknown_field' }));
  const settings: Record<string, string> = {};
  for (const { choices, isOptional, isSecret, isUrl, name } of fields) {
    const path = `account.${name}`;
    const value = given[name]?.trim() ?? (isSecret && !isMoved ? stored?.[name] : undefined) ?? '';
    if (value === '') {
      if (!isOptional) errors.push({ path, message: 'is required', code: 'required' });
      continue;
    }
    if (choices !== null && !choices.includes(value)) {
      errors.push({
        path,
        message: `must be one of ${choices.join(', ')}`,
        code: 'unknown_choice',
        params: { choices: [...choices] },
      });
    }
    if (isUrl) {
      const verdict = await urlGuard.check(value);
      if (verdict.kind === 'refused') errors.push({ path, message: verdict.detail, ...verdict.cause });
    }
    settings[name] = value;
  }
  return errors.length > 0 ? refuse('invalid_request', 'Some fields do not fit.', { errors }) : ok(settings);
}
