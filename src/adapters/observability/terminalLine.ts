/** What a line of the log has beside what it tells. */
const frame = new Set([
  'level',
  'time',
  'msg',
  'err',
  'request_id',
  'company_id',
  'principal',
  'method',
  'route',
  'status',
  'ms',
  'code',
]);
const levels: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'error: ' };

/**
 * A line of the log as a person at a terminal reads it:
 * `20:56:36  POST /api/auth/login 401 unauthenticated 12 ms`. Of several lines only where there is a stack. Null:
 * not for people, a request that was served, or that nobody waited for.
 * @param json a line as pino writes it
 */
export function terminalLine(json: string): string | null {
  const line = JSON.parse(json) as Record<string, unknown>;
  const { level, time, msg, err, status } = line;
  const isRequest = msg === 'request';
  if (isRequest && level === 30 && (Number(status) < 400 || status === 499)) return null;
  const what = isRequest
    ? [line['method'], line['route'], status, line['code'], `${Number(line['ms'])} ms`].filter((part) => part !== null)
    : [msg];
  const others = Object.entries(line).filter(([name]) => !frame.has(name));
  const told = [
    ...what,
    ...others.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ]
    .map(String)
    .map(oneLine);
  return `${String(time).slice(11, 19)}  ${levels[Number(level)] ?? ''}${told.join(' ')}${faultOf(err)}\n`;
}

/** What was thrown, with its stack below. */
function faultOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { type, message, stack } = err as Record<string, unknown>;
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : [];
  return [`: ${oneLine(`${String(type)}: ${String(message)}`)}`, ...frames.map(oneLine)].join('\n');
}

/** Nothing of what others wrote may move the cursor. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}
