import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * How often the event loop is looked at. Each look wakes the process: the default, 10 ms, takes more processor time
 * than all else that a gateway without calls does. `nodejs_eventloop_lag_*` are the times between two looks, so that
 * they are never less than this. Milliseconds.
 */
const lagEveryMs = 100;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Processor, memory and event loop: of the process, however many gateways it has had.
 * What measures them cannot be ended.
 */
let ofTheProcess: Registry | null = null;

function processMetrics(): Registry {
  if (ofTheProcess === null) {
    ofTheProcess = new Registry();
    collectDefaultMetrics({ register: ofTheProcess, eventLoopMonitoringPrecision: lagEveryMs });
  }
  return ofTheProcess;
}

/** The gateway's metrics, in a registry of their own. No label names a company, an agent or a phone number. */
export function createMetrics() {
  const ofProcess = processMetrics();
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });

  const requests = new Histogram({
    name: 'readyline_http_request_duration_seconds',
    help: 'HTTP requests by method, route pattern and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const clicks = new Histogram({
    name: 'readyline_click_to_dial_duration_seconds',
    help: 'Click-to-dial requests by outcome',
    labelNames: ['outcome'] as const,
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    registers,
  });
  const offers = counter('readyline_offers_total', 'Dials offered to softphones, by outcome', 'outcome');
  const deliveries = new Histogram({
    name: 'readyline_webhook_attempt_duration_seconds',
    help: 'Webhook delivery attempts by outcome',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const firstAttempts = new Histogram({
    name: 'readyline_webhook_first_attempt_delay_seconds',
    help: 'Delay from the first due time of a webhook delivery to its first attempt',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 900],
    registers,
  });
  const endpoints = counter(
    'readyline_webhook_endpoint_changes_total',
    'Changes of webhook endpoints: paused, recovered, disabled',
    'change',
  );
  // Initialized to zero: Prometheus sees no increase in a series that begins with its first event.
  for (const change of ['paused', 'recovered', 'disabled']) endpoints.inc({ change }, 0);
  const pushes = counter('readyline_pushed_customers_total', 'Customers pushed by CRMs');
  const repairs = counter('readyline_repairs_total', 'Repairs of what a crash or an outage left unfinished', 'what');
  const cuts = counter('readyline_connections_cut_total', 'Socket connections that were cut, by reason', 'reason');
  for (const reason of ['not_admitted', 'flood', 'slow_consumer']) cuts.inc({ reason }, 0);
  const crmLookups = new Histogram({
    name: 'readyline_crm_lookup_seconds',
    help: 'How long CRM systems took to tell who has a number, by provider and outcome',
    labelNames: ['provider', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 1.5, 2.5, 5],
    registers,
  });
  const crmWriteBacks = new Histogram({
    name: 'readyline_crm_write_back_seconds',
    help: 'How long attempts to log a call in a CRM took, by provider and outcome',
    labelNames: ['provider', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30],
    registers,
  });
  const crmNotices = counter(
    'readyline_crm_notices_total',
    'Notices that CRM systems sent of their records, and what came of them',
    'provider',
    'outcome',
  );
  const problems = counter('readyline_problems_total', 'Failures outside of requests; the log says which');

  return {
    request(method: string, route: string, status: number, seconds: number): void {
      requests.observe({ method, route, status }, seconds);
    },
    click(outcome: string, seconds: number): void {
      clicks.observe({ outcome }, seconds);
    },
    offer(outcome: string): void {
      offers.inc({ outcome });
    },
    delivery(outcome: string, seconds: number): void {
      deliveries.observe({ outcome }, seconds);
    },
    firstAttempt(seconds: number): void {
      firstAttempts.observe(seconds);
    },
    endpoint(change: string): void {
      endpoints.inc({ change });
    },
    push(entries: number): void {
      pushes.inc(entries);
    },
    crmWriteBack(provider: string, outcome: string, seconds: number): void {
      crmWriteBacks.observe({ provider, outcome }, seconds);
    },
    crmLookup(provider: string, outcome: string, seconds: number): void {
      crmLookups.observe({ provider, outcome }, seconds);
    },
    crmNotice(provider: string, outcome: string): void {
      crmNotices.inc({ provider, outcome });
    },
    repair(what: string): void {
      repairs.inc({ what });
    },
    cut(reason: string): void {
      cuts.inc({ reason });
    },
    problem(): void {
      problems.inc();
    },
    ...createGauges(registry),
    /** In the text format of Prometheus. */
    async expose(): Promise<{ contentType: string; text: string }> {
      const all = Registry.merge([ofProcess, registry]);
      return { contentType: all.contentType, text: await all.metrics() };
    },
  };
}

/** A value that is read when the metrics are asked for. */
type GaugeDefinition = { name: string; help: string; read: () => number | Promise<number> };

/** Values of one kind out of a reading: one for each value of the label. */
type LabelledGauge<Reading> = {
  name: string;
  help: string;
  label: string;
  of: (reading: Reading) => Readonly<Record<string, number>>;
};

/** A value that cannot be read is left out; the other metrics stay. */
function createGauges(registry: Registry) {
  const registers = [registry];
  return {
    /** Adds a value that the app knows, such as open sockets. */
    gauge({ name, help, read }: GaugeDefinition): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.reset();
            this.remove();
          }
        },
      });
    },
    /**
     * Adds values that are read together, such as by one query: once for all of them, and for whoever asks meanwhile.
     */
    gauges<Reading>(read: () => Promise<Reading>, definitions: LabelledGauge<Reading>[]): void {
      let underWay: Promise<Reading> | null = null;
      const readOnce = () => (underWay ??= read().finally(() => (underWay = null)));
      for (const { name, help, label, of } of definitions) {
        new Gauge({
          name,
          help,
          labelNames: [label],
          registers,
          async collect() {
            const reading = await readOnce().catch(() => null);
            this.reset();
            if (reading === null) return;
            for (const [value, number] of Object.entries(of(reading))) this.set({ [label]: value }, number);
          },
        });
      }
    },
  };
}
