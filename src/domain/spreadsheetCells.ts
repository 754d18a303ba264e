/** Cells of CSV files that spreadsheets open. */

/**
 * Where a spreadsheet may see the beginning of a formula: at the start of a cell, and behind whatever other
 * spreadsheets take for the end of one; in Europe that is a semicolon, and quotation marks do not hold together there
 * what they hold together here.
 */
const [atStart, behind] = ['^', '(?<=[;|\\t\\r\\n])'];
const [first, later] = [String.raw`(?=['"]*[=+\-@＝＋－＠\t\r\n])`, String.raw`(?=['"]*[=+\-@＝＋－＠])`];
const formulaStart = new RegExp(`${atStart}${first}|${behind}${later}`, 'g');
const guardedStart = new RegExp(`${atStart}'${first}|${behind}'${later}`, 'g');

/**
 * A text so that no spreadsheet takes it for a formula: with an apostrophe wherever one could begin.
 * `plainCell` takes them away again.
 */
export function safeCell(text: string): string {
  return text.replaceAll(formulaStart, "'");
}

/** What `safeCell` was given. */
export function plainCell(text: string): string {
  return text.replaceAll(guardedStart, '');
}

/** A row of CSV (RFC 4180), its cells safe from formulas, with its line end. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(safeCell(cell ?? ''))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
