import { CodeSample } from '../components/CodeSample.tsx';

const push = (origin: string) => `curl ${origin}/api/integrations/inbound \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001", "data": {"name": "Grace Hopper", "open_tickets": 2}, "tier": "gold"}'`;

const click = (origin: string) => `curl ${origin}/api/integrations/cti/click-to-dial \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001"}'`;

/** The two requests that a CRM makes, ready to be pasted into a terminal. */
export function Snippets() {
  const { origin } = window.location;
  return (
    <>
      <CodeSample title="Push a customer" text={push(origin)} />
      <CodeSample title="Click to dial, while an agent is Ready" text={click(origin)} />
    </>
  );
}
