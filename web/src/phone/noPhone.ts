import type { PhoneAbilities, PhoneLine } from './phone.ts';
import { SilentPhone } from './silentPhone.ts';

const details = {
  not_set_up: 'Your company has not set up its telephony yet. An admin does that in the console, under Telephony.',
  no_account: 'You have no telephone account yet. An admin gives you one in the console, under Agents.',
} as const;

/** Stands where a telephone would be, and says why there is none. */
export class NoPhone extends SilentPhone {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities = { mute: false, hold: false, dtmf: false, incoming: false, reportsByHand: false };

  constructor(why: keyof typeof details) {
    super();
    this.line = { state: 'unavailable', why, detail: details[why], retrying: false };
  }
}
