import type { CallEvent, Connector, PlatformDelivery } from '../../src/connectors/connector.ts';
import { type CallDetails, callEvent } from '../../src/connectors/normalForm.ts';
import { connectors } from '../../src/connectors/registry.ts';

/** When a test's deliveries come. Milliseconds. */
export const receivedAt = Date.UTC(2025, 9, 9, 8, 53, 20);

/** A delivery of JSON, or of a text as it is. */
export function deliveryOf(body: unknown, headers: Record<string, string> = {}, query = ''): PlatformDelivery {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    headers: { 'content-type': 'application/json', ...headers },
    query: new URLSearchParams(query),
    body: Buffer.from(text),
    receivedAt,
  };
}

/** A delivery of a form. */
export function formOf(fields: Record<string, string | string[]>): PlatformDelivery {
  const form = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
  return deliveryOf(form.toString(), { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' });
}

/** The connector of an id. */
export function connectorOf(id: string): Connector {
  const found = connectors.get(id);
  if (found === undefined) throw new Error(`there is no connector ${id}`);
  return found;
}

/** A delivery of XML. */
export function xmlOf(text: string): PlatformDelivery {
  return deliveryOf(text, { 'content-type': 'application/xml' });
}

/** An expected event of a call: all that is not said is null. */
export function callOf(event: CallEvent['event'], { callId, ...told }: CallDetails & { callId: string }): CallEvent {
  return callEvent(event, callId, told);
}
