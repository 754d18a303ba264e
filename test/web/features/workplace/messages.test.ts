import { describe, expect, it } from 'vitest';
import { useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';

const room = useWorkplaceRoom('messages');

const write = async (agentId: string, text: string) =>
  (
    await room
      .asAdmin(room.gateway.api.post('/api/messages'))
      .send({ text, to: { agent_id: agentId } })
      .expect(201)
  ).body as { id: string };

describe('a message of a supervisor', () => {
  it('chimes for who is free, and not for who is talking', async () => {
    const agent = await room.someAgent();
    const heard: string[] = [];
    const sounds = { ring: () => {}, silence: () => {}, chime: () => void heard.push('chime') };
    const desk = await room.deskOf(agent, { sounds }).open();
    await write(agent.id, 'When free');
    await desk.sees('the message', ({ messages }) => messages.length === 1);
    expect(heard).toEqual(['chime']);
    await desk.goReady();
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    await desk.hasCall('connected');
    const { id } = await write(agent.id, 'While talking');
    await desk.sees('both', ({ messages }) => messages.length === 2);
    expect(heard).toEqual(['chime']);
    await desk.workplace.acknowledgeMessage(id);
    expect(desk.workplace.view().messages.map(({ text }) => text)).toEqual(['When free']);
  });
});
