/** Something that was done so many times; `each`: what once of it costs, where that is known. */
export type Entry = {
  kind: 'statement' | 'command' | 'frame' | 'system call';
  what: string;
  times: number;
  each: string;
};

const kinds = ['statement', 'command', 'frame', 'system call'] as const;
/** What was done less often per call is of the gateway, not of the call. */
const leastPerCall = 0.25;

/** Markdown: what one call takes, by where the click arrives. */
export function traceTable(places: Readonly<Record<string, readonly Entry[]>>, calls: number): string {
  const names = Object.keys(places);
  const rows = new Map<string, { kind: Entry['kind']; what: string; perCall: number[]; each: string }>();
  for (const [column, name] of names.entries()) {
    for (const { kind, what, times, each } of places[name] ?? []) {
      const key = `${kind}:${what}`;
      const row = rows.get(key) ?? { kind, what, perCall: names.map(() => 0), each };
      row.perCall[column] = (row.perCall[column] ?? 0) + times / calls;
      rows.set(key, row);
    }
  }
  const shown = [...rows.values()]
    .filter(({ perCall }) => Math.max(...perCall) >= leastPerCall)
    .toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || most(other) - most(one));
  const lines = [
    ['', 'per call', ...names, 'each'],
    ['---', '---', ...names.map(() => '---:'), '---:'],
    ...shown.map(({ kind, what, perCall, each }) => [kind, what, ...perCall.map((count) => count.toFixed(1)), each]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function most({ perCall }: { perCall: number[] }): number {
  return Math.max(...perCall);
}
