import { Emitter } from '@socket.io/component-emitter';
import type { Phone, PhoneAbilities, PhoneDialog, PhoneEnd, PhoneEvents, PhoneLine, PhoneStats } from './phone.ts';

/** What every telephone without a voice of its own has in common: it does nothing that it is not told here to do. */
export abstract class SilentPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  abstract readonly line: PhoneLine;
  abstract readonly can: PhoneAbilities;
  readonly dialog: PhoneDialog | null = null;

  start(): void {
    this.emit('line', this.line);
  }
  withdraw(): void {}
  stop(): void {
    this.off();
  }
  abandon(): void {
    this.off();
  }
  dial(_phoneNumber: string): void {}
  takeOver(_dialog: PhoneDialog): void {}
  release(_dialog: PhoneDialog): void {}
  answer(): void {}
  reject(): void {}
  hangUp(): boolean {
    return false;
  }
  setMuted(_isMuted: boolean): void {}
  setHeld(_isHeld: boolean): void {}
  sendDtmf(_tone: string): void {}
  reportAnswered(): void {}
  reportEnded(_end: PhoneEnd): void {}
  stats(): Promise<PhoneStats | null> {
    return Promise.resolve(null);
  }
}
