import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { readJsonInput } from '../../src/contract/freeForm.ts';
import { parsePhone } from '../../src/domain/phones/phoneNumbers.ts';
import { foldText, holdsWords, wordsOf } from '../../src/domain/searchText.ts';
import { csvLine, plainCell } from '../../src/domain/spreadsheetCells.ts';
import { parseAddress, parseSip } from '../../src/demo/carrier/sipMessage.ts';
import { readJson } from '../../src/providers/answers.ts';
import { providers } from '../../src/providers/registry.ts';
import { readXml } from '../../src/providers/xml.ts';
import { beginningOf, fieldOfColumn } from '../../src/usecases/imports/suggestMapping.ts';
import { plannedColumns } from '../../src/usecases/imports/readingPlan.ts';
import { readRow } from '../../src/usecases/imports/readRow.ts';
import { guessEncoding } from '../../src/adapters/csv/guessEncoding.ts';
import { foreignWords } from '../../src/adapters/csv/foreignWords.ts';
import { dialedNumberOf, queueOf } from '../../web/src/lib/sip/jssip/dialedNumber.ts';
import { withSdpAlone } from '../../web/src/lib/sip/jssip/reading/body.ts';
import { headOf } from '../../web/src/lib/sip/jssip/reading/head.ts';
import { deliveryOf } from '../connectors/deliveries.ts';
import { costOf } from './cost.ts';

// Every reader of what others send: twice as much costs at most two and a half times as much,
// and the most that is taken at once costs no more than 50 ms of the processor, since everybody else waits meanwhile.

const kib = 1_024;
/** In the known piece of work, of some 10 ms. */
const most = 5;
/** Less is not told from nothing. */
const nothing = 0.5;

/** How often a reader that seems to cost too much is measured again. */
const rounds = 10;

/** @param most characters that it is given at once */
type Reader = { name: string; most: number; read: (text: string) => unknown };

const site = {
  credentials: {},
  addresses: { api: 'https://crm.example', login: 'https://crm.example', app: 'https://crm.example' },
  facts: {},
  options: {},
};
const nothingKnown = { fields: [], own: new Map<string, string>(), country: 'DE' };
const partsTypes = ['multipart/mixed', 'multipart/alternative;boundary=a', 'multipart/mixed;boundary="x"'];
const everyHeader = ['', 'phone', 'email', 'id', 'language', 'time zone', 'name', 'do not call', 'owner'];
const everyField = [
  'phone',
  'email',
  'tags',
  'name',
  'notes',
  'external_id',
  'tier',
  'language',
  'time_zone',
  'do_not_call',
  'organisation',
] as const;

function wordsIn(bytes: Buffer): string[] {
  const words = foreignWords();
  words.add(bytes);
  return words.found();
}

/** Nothing is known any more of the answer that was read last. */
const anew = (): boolean => readJson('null') === null;

/** An INVITE in whose headers that stands. */
const inviteWith = (text: string) =>
  ({ getHeaders: () => [text], ruri: { user: 'ada' } }) as unknown as Parameters<typeof dialedNumberOf>[0];

const readers: Reader[] = [
  { name: 'a body of JSON', most: 1_024 * kib, read: readJsonInput },
  { name: 'XML', most: 256 * kib, read: readXml },
  { name: 'a message of SIP', most: 64 * kib, read: parseSip },
  {
    name: 'whom an INVITE was for',
    most: 64 * kib,
    read: (text) => dialedNumberOf(inviteWith(text), 'ada', 'X-DID'),
  },
  {
    name: 'where a caller waited',
    most: 64 * kib,
    read: (text) => queueOf(inviteWith(text), 'X-Queue'),
  },
  {
    name: 'a body of SIP in parts',
    most: 256 * kib,
    read: (text) =>
      partsTypes.map((type) =>
        withSdpAlone(headOf(`INVITE sip:a@b SIP/2.0\r\nCSeq: 1 INVITE\r\nContent-Type: ${type}`), text),
      ),
  },
  { name: 'an address of SIP', most: 8 * kib, read: parseAddress },
  {
    name: 'a phone number',
    most: 256 * kib,
    read: (text) => [parsePhone(text, 'DE'), parsePhone(text, 'DE', 'network')],
  },
  {
    name: 'words that are searched for',
    most: 8 * kib,
    read: (text) => holdsWords(foldText(text), wordsOf(text).slice(0, 6)),
  },
  { name: 'a cell that is written', most: 64 * kib, read: (text) => plainCell(csvLine([text])) },
  {
    name: 'the header of a file',
    most: 256 * kib,
    read: (text) => [
      beginningOf(Array<string[]>(10).fill(text.split(',')), []),
      fieldOfColumn(text, { ...nothingKnown, cells: [] }),
    ],
  },
  {
    name: 'the cells of a file',
    most: 64 * kib,
    read: (text) => [
      beginningOf([[text]], []),
      everyHeader.map((header) => fieldOfColumn(header, { ...nothingKnown, cells: [text] })),
    ],
  },
  {
    name: 'words that are not in Unicode',
    most: 64 * kib,
    read: (text) => guessEncoding(wordsIn(Buffer.from(text, 'latin1'))),
  },
  ...everyField.map((field): Reader => ({
    name: `a cell of ${field}`,
    most: 64 * kib,
    read: (text) =>
      readRow(
        {
          columns: plannedColumns([{ column: 0, field, mode: 'fill' }]),
          fields: [],
          language: 'de',
          country: 'DE',
          bareDigits: 'national',
        },
        [text],
      ),
  })),
  ...[...connectors.values()].flatMap(({ name, read }): Reader[] =>
    ['application/json', 'application/x-www-form-urlencoded', 'text/xml'].map((type) => ({
      name: `${type} of ${name}`,
      most: 256 * kib,
      read: (text) => read(deliveryOf(text, { 'content-type': type })),
    })),
  ),
  ...providers.flatMap(({ name, parseInbound, parseSearch }): Reader[] => [
    {
      name: `a notice of ${name}`,
      most: 256 * kib,
      read: (text) =>
        anew() &&
        parseInbound({ method: 'POST', url: '/', headers: {}, body: Buffer.from(text), receivedAt: 0 } as never, site),
    },
    {
      name: `an answer of ${name}`,
      most: 1_024 * kib,
      read: (text) =>
        anew() &&
        parseSearch({ status: 200, headers: {}, body: text }, site, {
          method: 'GET',
          url: 'https://crm.example/',
          headers: {},
        } as never),
    },
  ]),
];

/** What is repeated until the text is as long as it may be: what readers count, look for, nest, quote and escape. */
const shapes: [before: string, again: string, after: string][] = [
  ['', 'a', ''],
  ['', '1', ''],
  ['', ' ', 'x'],
  ['', '\n', ''],
  ['', 'é', ''],
  ['', 'a&', ''],
  ['', 'a=1&', ''],
  ['', 'a[]=1&', ''],
  ['a=', '%41', ''],
  ['a=', '%', ''],
  ['{"a":"', 'b', '"}'],
  ['{"a":"', '\\"', '"}'],
  ['{"a":"', '\\\\', '"}'],
  ['{"a":"', '\\u0041', '"}'],
  ['{"a":"', '\\', ''],
  ['{"event":"ringing","call_id":"1","x":"', '\u0131', '"}'],
  ['{"a":', '1', '}'],
  ['{"a":', '[', ''],
  ['', '[', ''],
  ['', '{"a":', ''],
  ['[', '1,', '1]'],
  ['[', '12345678901234567890,', '1]'],
  ['[', '{},', '{}]'],
  ['{"results":[', '{"id":"1","properties":{"phone":"+4930123456","firstname":"a"}},', '{}]}'],
  ['{"a":1', ',"a":1', '}'],
  ['<Update>', '<a/>', '</Update>'],
  ['<Update>', '<a>', ''],
  ['<Update>', '&lt;', '</Update>'],
  ['<Update>', '&', '</Update>'],
  ['<Update ', 'a="1" ', '/>'],
  ['<Update a="', 'x', ''],
  ['<Update a', ' ', '>'],
  ['<', 'a', '>'],
  ['<a', ':', '>'],
  ['', '<notification>', ''],
  ['a@', '.', '@'],
  ['a@', 'a.', ' '],
  ['', 'a@a.a;', ''],
  ['', '+4930123456;', ''],
  ['', 'tag|', ''],
  ['', '"', ''],
  ['"', '""', ''],
  ['', '";=', ''],
  ['', "'", '='],
  ['', ',', ''],
  ['', '(0)', ''],
  ['+', '-', '1'],
  ['tel:', ';', '1'],
  ['sip:', '@', ''],
  ['"', '<', '>'],
  ['INVITE sip:a@b SIP/2.0\r\n', 'Via: x\r\n', '\r\n'],
  ['', '--x\r\nc: multipart/mixed\r\n\r\n', '--x--'],
  ['--x\r\nContent-Type: application/sdp\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n', '= ', '--x--'],
  ['INVITE sip:a@b SIP/2.0\r\nVia: ', ' ', '\r\n\r\n'],
  ['{"a":1', '0', '1}'],
  ['{"a":0.', '0', 'e1}'],
  // What an expression looks for at the end, and does not find there.
  ...['0', '1', '.', '/', '=', '-', '?', '%', '(', ')', '_', '*', '\\', '\t', '\n', ' ', '\nx ', '; ext'].map(
    (again): [string, string, string] => ['', again, 'x'],
  ),
];

/** As long as it may be, or half of it. */
function filled([before, again, after]: readonly [string, string, string], length: number): string {
  return before + again.repeat(Math.max(1, Math.floor((length - before.length - after.length) / again.length))) + after;
}

/** What goes wrong with a reader and a shape; null: nothing. */
function fault({ most: length, read }: Reader, shape: readonly [string, string, string]): string | null {
  const reading = (text: string) => () => {
    try {
      read(text);
    } catch {
      // What is refused costs as well.
    }
  };
  const [piece, half, whole] = [length / 16, length / 2, length].map((part) => reading(filled(shape, part))) as [
    () => void,
    () => void,
    () => void,
  ];
  // What costs the square of its length is told here, and not after minutes.
  if (costOf(piece, most) > most && costOf(piece, most, 0) > most) return 'costs too much at a sixteenth of its length';
  let all = costOf(whole, nothing);
  if (all <= nothing) return null;
  // The machine may have slowed down since the known work was done: what seems too much is measured beside it.
  for (let round = 0; round < rounds && all > most; round += 1) all = Math.min(all, costOf(whole, most, 0));
  if (all > most) return `costs ${all.toFixed(1)} times the known work`;
  // What other tests do in this process meanwhile counts, too: measured in turn, and again,
  // until the least of both is told.
  let less = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    less = Math.min(less, costOf(half, 0));
    all = Math.min(all, costOf(whole, 0));
    if (all <= 2.5 * less + nothing) return null;
  }
  return `costs ${all.toFixed(1)} times the known work, half of it ${less.toFixed(1)}`;
}

describe('what others send', () => {
  it.each(readers)('costs no more than its length: $name', (reader) => {
    const faults = shapes.flatMap((shape) => {
      const found = fault(reader, shape);
      return found === null ? [] : [`${JSON.stringify(shape)} ${found}`];
    });
    expect(faults).toEqual([]);
  });

  const pieces = [
    'a',
    '1',
    ' ',
    '\n',
    '&',
    '=',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ',',
    ':',
    '<',
    '>',
    '/',
    '%41',
    '+',
    '-',
    '(0)',
    ';',
    '|',
    '@',
    '.',
    "'",
    '&lt;',
    'sip:',
    'é',
    '\r\n',
  ];
  const some = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((list) => list.join(''));

  it.each(readers)('costs no more than its length, whatever is repeated: $name', { tags: 'full' }, (reader) => {
    fc.assert(
      fc.property(
        fc.tuple(
          some,
          some.filter((text) => text !== ''),
          some,
        ),
        (shape) => {
          expect(fault(reader, shape)).toBeNull();
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
