import { parsers, printers } from 'prettier/plugins/markdown';

const { mdast } = printers;

/** Leaves a table that is wider than a line as narrow as it can be, as Prettier does by itself where it never wraps. */
const narrowTables = {
  // A printer is looked for beside its parser first.
  parsers: { markdown: parsers.markdown },
  printers: {
    mdast: {
      ...mdast,
      print: (path, options, print) =>
        mdast.print(path, path.node.type === 'table' ? { ...options, proseWrap: 'never' } : options, print),
    },
  },
};

/** @type {import('prettier').Config} */
export default { printWidth: 120, singleQuote: true, plugins: [narrowTables] };
