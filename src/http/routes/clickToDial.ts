import { z } from 'zod';
import { clickToDialAnswer, clickToAccountRequest, idempotencyKey } from '../../contract/clickToDial.ts';
import { keyOrToken } from '../../domain/access.ts';
import { clickToDial } from '../../usecases/calls/click/clickToDial.ts';
import { reply, replyAsWritten, route } from '../route.ts';

const headers = z.object({
  'idempotency-key': idempotencyKey.optional().meta({
    description:
      'Kept for 24 h per company: the same key and body get the first answer again, ' +
      'the same key with another body is refused. ' +
      'For a token of role agent the agent counts as part of the body.',
  }),
});

export const clickToDialRoutes = [
  route({
    method: 'post',
    path: '/api/integrations/cti/click-to-dial',
    id: 'clickToDial',
    summary: 'Dial a customer from a Ready agent’s softphone',
    description:
      'Names an agent (`agent_id` or `agent_code`), ' +
      'or leaves the choice: an agent’s own token dials from that agent, ' +
      'everyone else gets the Ready agent idle longest, of the team `team_code` if one is given. ' +
      '201 means that exactly one softphone has acknowledged the dial; ' +
      'where a telephony platform dials for the agent (`dial_via`), that the platform has accepted it. ' +
      'After a 503 nothing was dialed, nor will be, but for `outcome_unknown`: then nobody knows yet, ' +
      'and a repetition under the same Idempotency-Key tells (with the cause `platform_outcome_unknown` it is ' +
      'not dialed again under that key, and the platform’s events tell).',
    tag: 'Click-to-dial',
    access: keyOrToken,
    headers,
    body: clickToAccountRequest,
    answers: { 201: clickToDialAnswer },
    answerHeaders: { 'Idempotent-Replay': '`true` when this is the first answer under this key, given again' },
    refusals: [
      'invalid_phone',
      'unknown_agent',
      'unknown_team',
      'wrong_company',
      'role_required',
      'no_ready_agent',
      'agent_not_ready',
      'do_not_call',
      'outcome_unknown',
      'idempotency_in_progress',
      'idempotency_mismatch',
    ],
    handler: async ({ services, principal, body, headers, identifiedMs }) => {
      const dialed = await clickToDial(services, principal, body, headers['idempotency-key'] ?? null, identifiedMs);
      if (dialed.kind === 'refused') return dialed;
      const { answer, replayed } = dialed.value;
      return replayed ? replyAsWritten(201, answer, { 'Idempotent-Replay': 'true' }) : reply(201, answer);
    },
  }),
];
