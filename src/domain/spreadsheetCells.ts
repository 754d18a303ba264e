/** Cells of CSV files that spreadsheets open. */

const looksLikeFormula = /^'*[=+\-@\t\r]/;

/** A text so that no spreadsheet takes it for a formula: with an apostrophe before it where it could be one. `plainCell` takes it away again. */
export function safeCell(text: string): string {
  return looksLikeFormula.test(text) ? `'${text}` : text;
}

/** What `safeCell` was given. */
export function plainCell(text: string): string {
  return text.startsWith("'") && looksLikeFormula.test(text) ? text.slice(1) : text;
}

/** A row of CSV (RFC 4180), its cells safe from formulas, with its line end. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(safeCell(cell ?? ''))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
