import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/contract/jsonText.ts';
import { layOver, pushed, screenPopOf } from '../../src/domain/screenPop.ts';

describe('a screen pop that is laid over another', () => {
  const entry = {
    ...pushed,
    phone: '+15551230001',
    data: JsonText.of({ name: 'Pushed', notes: null, plan: 'pro' }),
    externalSystem: null,
    externalId: null,
    tier: null,
  };

  it('hides nothing where it says nothing: null is absence', () => {
    const contact = { name: 'Grace', vip_tier: 'gold', crm: JsonText.of({ notes: 'Prefers mail' }) };
    const laid = layOver(screenPopOf(entry), contact);
    expect(laid).toMatchObject({ name: 'Pushed', vip_tier: 'gold' });
    expect(laid.crm?.plain()).toEqual({ notes: 'Prefers mail', name: 'Pushed', plan: 'pro' });
    expect(layOver({ vip_tier: null }, laid).vip_tier).toBe('gold');
  });

  it('keeps the tier of null where nobody has one', () => {
    expect(layOver(screenPopOf(entry), { name: 'Grace' }).vip_tier).toBeNull();
    expect(layOver({ name: 'Grace' }, screenPopOf(entry)).vip_tier).toBeNull();
    expect('vip_tier' in layOver({ name: 'Grace' }, {})).toBe(false);
  });
});
