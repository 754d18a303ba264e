import type { Logger } from 'pino';
import type { Observer } from '../../ports/observer.ts';
import type { Metrics } from './metrics.ts';

/** Tells the operator by metrics, and by log lines where a person should look. */
export function createObserver({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  return {
    click: (outcome, milliseconds) => metrics.click(outcome, milliseconds / 1000),
    offer: (outcome) => metrics.offer(outcome),
    delivery: (outcome, milliseconds) => metrics.delivery(outcome, milliseconds / 1000),
    firstAttempt: (milliseconds) => metrics.firstAttempt(milliseconds / 1000),
    endpoint(change, fields) {
      metrics.endpoint(change);
      if (change === 'recovered') logger.info(fields, 'a webhook endpoint has recovered');
      else logger.warn(fields, `a webhook endpoint was ${change}`);
    },
    push: (entries) => metrics.push(entries),
    crmLookup: (provider, outcome, milliseconds) => metrics.crmLookup(provider, outcome, milliseconds / 1000),
    crmWriteBack: (provider, outcome, milliseconds) => metrics.crmWriteBack(provider, outcome, milliseconds / 1000),
    crmNotice: (provider, outcome) => metrics.crmNotice(provider, outcome),
    crmNoticesRefused: (fields) =>
      logger.warn(fields, 'too many records wait to be read: a CRM is told to send its notices again'),
    crmNoticesDropped: (fields) => logger.warn(fields, 'records that a CRM told of are not read'),
    repaired(what) {
      metrics.repair(what);
      logger.warn({ what }, 'repaired');
    },
    cut(reason, fields) {
      metrics.cut(reason);
      // Not for connections that never signed in: anybody could fill the log.
      if (fields !== null) logger.warn({ reason, ...fields }, 'a connection was cut off');
    },
    problem(message, error, fields) {
      metrics.problem();
      logger.error({ ...fields, err: error }, message);
    },
  };
}
