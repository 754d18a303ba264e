import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';

/** What the gateway answered instead of what was asked for (RFC 9457). `code` is one of the contract's error codes. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { path: string; message: string }[];

  constructor(status: number, body: { code?: string; detail?: string; errors?: { path: string; message: string }[] }) {
    super(body.detail ?? 'The gateway gave no reason.');
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.errors = body.errors ?? [];
  }

  /** What is wrong with one field of the request. */
  of(path: string): string | null {
    return this.errors.find((error) => error.path === path)?.message ?? null;
  }
}

/** What to tell a person about something that was thrown: what the gateway said, or that it said nothing. */
export function messageOf(error: unknown): string {
  const isTold = error instanceof SoftphoneRefusal || error instanceof ApiProblem;
  return isTold ? error.message : 'The gateway did not answer. Try again.';
}
