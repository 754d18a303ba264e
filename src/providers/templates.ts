import { z } from 'zod';
import { ownValue } from '../contract/ownValue.ts';
import { type Json, objectIn } from './answers.ts';
import { partOf } from './requests.ts';

/** Templates that an admin writes: addresses and bodies with placeholders such as `{phone}`. */

/** The field of an address of https with placeholders, which stand behind its host. */
export function addressTemplate(title: string, description: string, names: readonly string[]) {
  return z
    .string()
    .trim()
    .max(2_000)
    .superRefine((text, context) => {
      const origin = /^https:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(?=[/?]|$)/.exec(text)?.[0];
      const unknown = placeholdersIn(text).find((name) => !names.includes(name));
      if (origin === undefined || !URL.canParse(text) || text.includes('#'))
        context.addIssue('must be an https:// address, with placeholders behind its host');
      else if (unknown !== undefined)
        context.addIssue(`has no placeholder {${unknown}}; there are ${names.map((name) => `{${name}}`).join(', ')}`);
    })
    .meta({ title, description });
}

export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
}

/** A template at another origin, with what its placeholders stand for as parts of an address. */
export function filledUrl(template: string, origin: string, values: Record<string, string>): string {
  const behind = template.replace(/^https:\/\/[^/?]+/, '');
  const filled = behind.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
    const value = ownValue(values, name);
    return value === undefined ? whole : partOf(value);
  });
  return `${origin}${filled.startsWith('/') ? '' : '/'}${filled}`;
}

/** Placeholders are filled in after the template was read, so that nothing in a call can change its form. */
export function filledJson(template: Json, values: Record<string, string | number | null>): Json {
  if (typeof template === 'string') {
    const alone = /^\{([a-z_]+)\}$/.exec(template)?.[1];
    const whole = alone === undefined ? undefined : ownValue(values, alone);
    if (whole !== undefined) return whole;
    return template.replace(/\{([a-z_]+)\}/g, (written, name: string) => {
      const value = ownValue(values, name);
      return value === undefined ? written : String(value ?? '');
    });
  }
  if (Array.isArray(template)) return template.map((one) => filledJson(one, values));
  const object = objectIn(template);
  return object === null
    ? template
    : Object.fromEntries(Object.entries(object).map(([name, value]) => [name, filledJson(value ?? null, values)]));
}
