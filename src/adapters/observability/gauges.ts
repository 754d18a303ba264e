import { Gauge, type Registry } from 'prom-client';

/** A value that is read when the metrics are asked for. */
export type GaugeDefinition = { name: string; help: string; read: () => number | Promise<number> };

/** Values of one kind out of a reading: one for each value of the label. */
export type LabelledGauge<Reading> = {
  name: string;
  help: string;
  label: string;
  of: (reading: Reading) => Readonly<Record<string, number>>;
};

/** What fails to be read is left out of the answer; the other metrics are there. */
export function createGauges(registry: Registry) {
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
    /** Adds values that are read together, such as by one query: once for all of them, and for whoever asks meanwhile. */
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
