import type { Step } from './progress.ts';

/**
 * The requests of a step as commands to paste. @param key null: none was made in this visit, and the reader has one
 */
export function curlOf(step: Step, { key, agentCode }: { key: string | null; agentCode: string }): string | null {
  const origin = window.location.origin;
  const head = `-H 'content-type: application/json' -H "X-Service-Api-Key: ${key ?? '$KEY'}"`;
  if (step === 'push') {
    const body = { phone_number: '+15551231969', data: { name: 'Margaret Hamilton', company: 'Tranquility Software' } };
    return `curl ${origin}/api/integrations/inbound ${head} \\\n  -d '${JSON.stringify(body)}'`;
  }
  if (step === 'click') {
    const body = { phone_number: '+15551230001', agent_code: agentCode };
    return `curl ${origin}/api/integrations/cti/click-to-dial ${head} \\\n  -d '${JSON.stringify(body)}'`;
  }
  return null;
}
