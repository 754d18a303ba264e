import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionSettings } from '../../../../src/contract/telephony.ts';
import type { IceServers } from '../../../../web/src/lib/sip/iceServers.ts';
import { FakeGateway } from '../../../support/gateway/fakeGateway.ts';
import { FakePhone } from '../../../support/sip/fakePhone.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { Desk } from '../../../support/workplace/workplaces.ts';

const hour = 3_600_000;
const agent = { id: 'ada', agentCode: 'ada', password: '', token: 'token' };

/** An agent's page whose gateway tells these servers, and the clock of its machine. */
async function open(user: string) {
  const gateway = await FakeGateway.start();
  onTestFinished(() => gateway.close());
  const clock = createManualClock(Date.now());
  const tells = (username: string, pbx = 'pbx.example.com') =>
    void (gateway.settings = settingsWith(username, clock.now(), pbx));
  tells(user);
  const phones: FakePhone[] = [];
  let servers: IceServers | undefined;
  const makePhone = (_: unknown, given: IceServers) => {
    servers = given;
    phones.push(new FakePhone());
    return phones.at(-1)!;
  };
  const desk = await new Desk(gateway, agent, { timers: clock, makePhone }).open();
  onTestFinished(() => desk.workplace.close());
  const users = () => servers?.current.map(({ username }) => username);
  return { gateway, clock, tells, desk, phones, users, renew: async () => servers?.renew() };
}

function settingsWith(username: string, now: number, pbx: string): SessionSettings {
  const expires_at = new Date(now + 12 * hour).toISOString();
  return {
    ...{ dispositions: [], not_ready_reasons: [], default_country: null, wrap_up_seconds: 30, wrap_up_max_seconds: 60 },
    telephony: {
      ...{ mode: 'sip', demo: false, wss_url: `wss://${pbx}/ws`, user: '1001', secret: 'secret', domain: pbx },
      ...{ display_name: 'Ada', no_answer_seconds: 60 },
      ice_servers: [{ urls: ['turn:turn.example.com'], username, credential: 'made', expires_at }],
    },
  };
}

describe('the credentials of TURN servers', () => {
  it('are those of the last reading while they last for a call', async () => {
    const { clock, tells, users, renew } = await open('first');
    tells('second');
    await clock.leap(5 * hour);
    await renew();
    expect(users()).toEqual(['first']);
  });

  it('are asked for anew by the first call after half of their time, and the phone stays as it is', async () => {
    const { clock, tells, phones, users, renew } = await open('first');
    await clock.leap(7 * hour);
    tells('second');
    await renew();
    expect(users()).toEqual(['second']);
    // The page lies open for days.
    await clock.leap(72 * hour);
    tells('third');
    await renew();
    expect(users()).toEqual(['third']);
    expect(phones.map(({ did }) => did)).toEqual([[]]);
  });

  it('do not hold a call back for longer than two seconds', async () => {
    const { gateway, clock, users, renew } = await open('first');
    await clock.leap(13 * hour);
    gateway.settings = null;
    const call = renew();
    await clock.advance(2_000);
    await call;
    expect(users()).toEqual(['first']);
  });

  it('do not hold a call back while there is no line to the gateway', async () => {
    const { gateway, clock, desk, users, renew } = await open('first');
    await clock.leap(13 * hour);
    gateway.refusal = new Promise(() => {});
    gateway.last.conn.close();
    await desk.sees('a lost line', ({ line }) => line === 'reconnecting');
    const call = renew();
    await clock.advance(2_000);
    await call;
    expect(users()).toEqual(['first']);
  });
});

it('takes other servers of its company for its next call, and another phone for another PBX alone', async () => {
  const { gateway, tells, phones, users } = await open('first');
  tells('second');
  gateway.last.emit('settings_changed');
  await eventually(() => expect(users()).toEqual(['second']));
  expect(phones.map(({ did }) => did)).toEqual([[]]);
  tells('third', 'other.example.com');
  gateway.last.emit('settings_changed');
  await eventually(() => expect(phones.map(({ did }) => did)).toEqual([['stop'], []]));
  expect(users()).toEqual(['third']);
});
