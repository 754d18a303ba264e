import { describe, expect, it } from 'vitest';
import { connectorIds, connectors } from '../../src/connectors/registry.ts';
import { connectorOf, ownFormCall, wholeCalls } from './wholeCalls.ts';

describe.each(wholeCalls)('a whole call of $connector, by $form', ({ connector, told }) => {
  it('is read as what happened, with null for all that is not told', () => {
    expect(told.map(([delivery]) => connectorOf(connector).read(delivery))).toEqual(told.map(([, events]) => events));
  });

  it('is read the same when it comes again', () => {
    for (const [delivery] of told) expect(connectorOf(connector).read(delivery)).toEqual(connectorOf(connector).read(delivery));
  });
});

describe.each(connectorIds)('%s', (id) => {
  it('takes the gateway’s own form', () => {
    expect(ownFormCall.map(([delivery]) => connectorOf(id).read(delivery))).toEqual(ownFormCall.map(([, events]) => events));
  });
});

it('knows each platform by its id, with a name', () => {
  expect(connectorIds).toEqual(['genesys', 'avaya', 'cisco', 'webexcc', 'five9', 'nice', 'talkdesk', 'push', 'asterisk']);
  expect([...connectors.values()].map(({ id }) => id)).toEqual(connectorIds);
  expect(new Set([...connectors.values()].map(({ name }) => name)).size).toBe(connectorIds.length);
});

it('never tells that a call of Talkdesk rings, since Talkdesk does not', () => {
  const told = wholeCalls.filter(({ connector }) => connector === 'talkdesk').flatMap((one) => one.told);
  const events = told.flatMap(([delivery]) => connectorOf('talkdesk').read(delivery));
  expect(events).not.toContainEqual(expect.objectContaining({ event: 'ringing' }));
  expect(events).not.toEqual([]);
});
