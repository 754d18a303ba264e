import { z } from 'zod';

/** The fields that an admin fills in when a CRM is connected, as the console renders them. */

const maxLength = 2_000;

/** A text that everybody may see. */
export function text(title: string, description: string) {
  return z.string().trim().min(1).max(maxLength).meta({ title, description });
}

/** A secret: sealed when it is kept, never shown again. */
export function credential(title: string, description: string) {
  return z.string().trim().min(1).max(maxLength).meta({ title, description, secret: true });
}

/**
 * A host of the vendor's: what stands before one of the given endings, as admins copy it from their browser, with or
 * without `https://`, ending and path. Becomes the whole host in lower case.
 * @param endings such as `.my.salesforce.com`; the first one completes a bare name
 */
export function vendorHost(title: string, description: string, endings: readonly [string, ...string[]]) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .transform((input) => {
      const host = input
        .toLowerCase()
        .replace(/^https?:\/\//, '')
        .replace(/[/?#].*$/, '');
      return host.includes('.') ? host : `${host}${endings[0]}`;
    })
    .refine(
      (host) =>
        /^[a-z0-9.-]+$/.test(host) &&
        endings.some((ending) => host.endsWith(ending) && isName(host.slice(0, -ending.length))),
      {
        error: `must be a host that ends in ${endings.join(' or ')}`,
        params: { endings },
      },
    )
    .meta({ title, description });
}

function isName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text);
}

/** A text of a certain form. @param must what an admin is told otherwise, such as `must be a date` */
export function textLike(title: string, description: string, form: RegExp, must: string) {
  return z.string().trim().max(maxLength).regex(form, { error: must }).meta({ title, description });
}

/** A choice of one of the provider's own settings. */
export function choice<const T extends readonly [string, ...string[]]>(title: string, description: string, values: T) {
  return z.enum(values).default(values[0]).meta({ title, description });
}

/** A setting that may be left out: an empty text then. */
export function setting(title: string, description: string, initial = '') {
  return z.string().trim().max(maxLength).default(initial).meta({ title, description });
}
