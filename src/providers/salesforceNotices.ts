import { type JsonObject, objectIn, objectsIn, readJson, readObject, textIn, textsIn, unreadable } from './answers.ts';
import { noticeWith } from './notices.ts';
import type { Inbound, InboundRequest, Site } from './provider.ts';
import { objectNames, recordOf } from './salesforceRecords.ts';
import { childOf, childrenOf, readXml } from './xml.ts';

/**
 * What Salesforce sends by itself: Outbound Messages (SOAP), records of flows,
 * and events of Change Data Capture (JSON).
 */

type AtSite = Pick<Site<unknown>, 'facts' | 'options'>;

/** Whether a notice is an Outbound Message. */
export function isSoap(headers: Readonly<Record<string, string>>): boolean {
  return /^(?:text|application)\/(?:soap\+)?xml/.test(headers['content-type'] ?? '');
}

/** Throws `UnreadableAnswer` for a body that is none of these, or of another organization. */
export function noticesIn({ headers, body }: InboundRequest, site: AtSite): Inbound[] {
  const content = body.toString('utf8');
  if (isSoap(headers)) return outboundMessage(content, site);
  const value = readJson(content);
  return (Array.isArray(value) ? objectsIn(value) : [readObject(content)]).flatMap((one) => jsonNotice(one, site));
}

/** Up to 100 notifications, each with the fields that the admin chose. */
function outboundMessage(content: string, site: AtSite): Inbound[] {
  const notifications = childOf(
    childOf(readXml(content), 'Body') ?? unreadable('Expected a SOAP body.'),
    'notifications',
  );
  if (notifications === null) return unreadable('Expected an Outbound Message.');
  const organization = childOf(notifications, 'OrganizationId')?.text.trim() ?? '';
  // 15 characters, or 18 with what tells upper from lower case.
  const expected = site.facts.organization;
  if (expected !== undefined && organization.slice(0, 15) !== expected.slice(0, 15))
    unreadable('Expected an Outbound Message of the connected organization.');
  return childrenOf(notifications, 'Notification').map((notification) => {
    const sObject = childOf(notification, 'sObject') ?? unreadable('Expected an sObject.');
    const fields = Object.fromEntries(sObject.children.map((field) => [field.name, field.text]));
    const type = sObject.attributes.type?.replace(/^.*:/, '');
    return noticeOf({ ...fields, attributes: { type } }, textIn(childOf(notification, 'Id')?.text), site);
  });
}

/**
 * A record as the REST interface shows it, which a Flow sends; or an event of Change Data Capture, which has ids alone.
 */
function jsonNotice(notice: JsonObject, site: AtSite): Inbound[] {
  const header = objectIn(notice.ChangeEventHeader);
  if (header === null) return [noticeOf(notice, null, site)];
  const object = objectNames.find((name) => name === header.entityName);
  const ids = Array.isArray(header.recordIds) ? textsIn(...header.recordIds) : [];
  if (object === undefined) return [{ kind: 'ignored' }];
  const isGone = header.changeType === 'DELETE' || header.changeType === 'GAP_DELETE';
  return ids.map((id) => ({
    kind: isGone ? 'deleted' : 'reference',
    reference: { object, id },
    key: keyOf(header, id),
  }));
}

function keyOf({ transactionKey, sequenceNumber }: JsonObject, id: string): string | null {
  return textIn(transactionKey) === null ? null : textsIn(transactionKey, sequenceNumber, id).join(' ');
}

function noticeOf(fields: JsonObject, key: string | null, site: AtSite): Inbound {
  const record = recordOf(fields, site);
  if (record === null) return { kind: 'ignored' };
  if (fields.IsDeleted === true || fields.IsDeleted === 'true')
    return { kind: 'deleted', reference: { object: record.object, id: record.id }, key };
  // With fewer fields than it takes, the notice would hide what is known.
  return noticeWith(record, key);
}
