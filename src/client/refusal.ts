import type { Refusal } from '../contract/socket.ts';

/** Why the gateway refused an event or the connection. */
export class SoftphoneRefusal extends Error {
  readonly code: Refusal['code'];
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = 'SoftphoneRefusal';
    this.code = refusal.code;
    this.refusal = refusal;
  }
}
