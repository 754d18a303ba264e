import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import type { Translate } from '../i18n/catalog.ts';

/** What the gateway answered instead of what was asked for (RFC 9457). `code` is one of the contract's error codes; `message` its detail, in English. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { path: string; message: string }[];

  constructor(status: number, body: { code?: string; detail?: string; errors?: { path: string; message: string }[] }) {
    super(body.detail ?? body.code ?? String(status));
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.errors = body.errors ?? [];
  }

  /** What is wrong with one field of the request. */
  of(path: string): string | null {
    return this.errors.find((error) => error.path === path)?.message ?? null;
  }
}

/** What to tell a person about something that was thrown: what the gateway's code means, or that it said nothing. */
export function messageOf(t: Translate, error: unknown): string {
  if (error instanceof SoftphoneRefusal || error instanceof ApiProblem) return refusalText(t, { code: error.code, detail: error.message });
  return t('shared.problem.unreachable');
}

/** What a refusal means: by its code in the page's language, or, of a code that pages do not know, as the gateway put it. */
export function refusalText(t: Translate, { code, detail }: { code: string; detail: string }): string {
  return t(`shared.problem.${code as 'conflict'}`, { detail, defaultValue: detail });
}
