import { Emitter } from '@socket.io/component-emitter';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SoftphoneEvents } from '../../../../src/client/softphone.ts';
import { CallListeners } from '../../../../web/src/features/workplace/callListeners.ts';
import type { PhoneListener } from '../../../../web/src/lib/sip/phoneCall.ts';
import { FakePhone } from '../../../support/sip/fakePhone.ts';

/** Somebody whom the telephone lets in. */
class FakeListener implements PhoneListener {
  readonly offer = 'an offer';
  readonly did: string[] = [];
  #onEnd: () => void = () => {};

  async answered(sdp: string): Promise<void> {
    this.did.push(`answered ${sdp}`);
  }
  become(mode: string): void {
    this.did.push(mode);
  }
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }
  end(): void {
    if (this.did.at(-1) === 'end') return;
    this.did.push('end');
    this.#onEnd();
  }
}

describe('supervisors in a call', () => {
  let softphone: Emitter<SoftphoneEvents, SoftphoneEvents>;
  let phone: FakePhone;
  let letIn: FakeListener[];
  let listeners: CallListeners;
  const by = { id: 'boss', name: 'Grace' };
  const joins = (id: string, changes = {}) =>
    listeners.admit({ listen_id: id, call_id: 'the call', mode: 'listen', by, ...changes });

  beforeEach(() => {
    softphone = new Emitter();
    phone = new FakePhone();
    letIn = [];
    phone.listener = () => {
      letIn.push(new FakeListener());
      return letIn.at(-1)!;
    };
    phone.isAnswered();
    listeners = new CallListeners({ softphone, call: () => phone, callId: () => 'the call', changed: () => {} });
  });

  it('are let in, shown, heard as the gateway says, and gone', async () => {
    expect(await joins('one')).toBe('an offer');
    softphone.emit('listenerAnswered', { listen_id: 'one', sdp: 'theirs' });
    expect(listeners.shown).toEqual([{ id: 'one', name: 'Grace', mode: 'listen' }]);
    softphone.emit('listenerChanged', { listen_id: 'one', mode: 'whisper' });
    softphone.emit('listenerChanged', { listen_id: 'another', mode: 'barge' });
    expect(listeners.shown).toEqual([{ id: 'one', name: 'Grace', mode: 'whisper' }]);
    softphone.emit('listenerLeft', 'one');
    softphone.emit('listenerChanged', { listen_id: 'one', mode: 'barge' });
    expect(listeners.shown).toEqual([]);
    expect(letIn[0]?.did).toEqual(['listen', 'answered theirs', 'whisper', 'end']);
  });

  it('are not shown where the company does not want it', async () => {
    expect(await joins('one', { by: null })).toBe('an offer');
    expect(listeners.shown).toEqual([]);
  });

  it('are not shown any more when the telephone has lost them', async () => {
    await joins('one');
    letIn[0]?.end();
    expect(listeners.shown).toEqual([]);
  });

  it('are let into the call that is talked in alone, never where nothing can be heard, nor by the dozen', async () => {
    expect(await joins('one', { call_id: 'the call before' })).toBeNull();
    phone.listener = () => null;
    expect(await joins('two')).toBeNull();
    expect(letIn).toEqual([]);
    phone.listener = () => new FakeListener();
    for (const id of ['three', 'four', 'five', 'six']) expect(await joins(id)).toBe('an offer');
    expect(await joins('seven')).toBeNull();
    expect(listeners.shown).toHaveLength(4);
  });

  it('are not let in who have gone before the telephone was ready for them', async () => {
    const joining = joins('one');
    softphone.emit('listenerLeft', 'one');
    expect(await joining).toBeNull();
    expect(letIn[0]?.did).toEqual(['end']);
    expect(listeners.shown).toEqual([]);
  });
});
