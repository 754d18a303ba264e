import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { API, NodeBuilderFlags } from 'typescript/unstable/sync';
import { fromRoot } from './project.mjs';

/**
 * The types of a package, from the declarations in dist/. What integrators see of the contract is written out as plain
 * types into one file, contract.d.ts: so a package needs no zod, and carries nothing that it does not use.
 */

/** @typedef {import('typescript/unstable/sync').Project} Project */
/** @typedef {{ name: string, text: string, isSchema: boolean, flat: string | null }} Declaration */

const contract = fromRoot('dist/contract/');
const asWritten =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/**
 * @param {string[]} modules of src/, without extension, e.g. `client/softphone`; listed in packages/tsconfig.json
 * @param {string} output folder, which is made; every module becomes a file in it
 */
export function writeTypes(modules, output) {
  const api = new API({ cwd: fromRoot('.') });
  try {
    const [project] = api.updateSnapshot({ openProjects: [fromRoot('packages/tsconfig.json')] }).getProjects();
    if (project === undefined) throw new Error('packages/tsconfig.json is no project');
    mkdirSync(output, { recursive: true });
    const files = filesOf(
      project,
      modules.map((module) => fromRoot(`dist/${module}.d.ts`)),
    );
    const own = files.filter((file) => !file.startsWith(contract));
    const texts = own.map((file) => withPackagePaths(textOf(project, file)));
    own.forEach((file, index) => writeFileSync(join(output, basename(file)), texts[index] ?? ''));
    const declarations = files
      .filter((file) => file.startsWith(contract))
      .flatMap((file) => declarationsIn(project, file));
    writeFileSync(
      join(output, 'contract.d.ts'),
      used(declarations, texts)
        .map(({ text }) => text.trim())
        .join('\n') + '\n',
    );
  } finally {
    api.close();
  }
}

/**
 * Those files and what they import from beside them, each once.
 * @param {Project} project
 * @param {string[]} entries
 */
function filesOf(project, entries) {
  const found = new Set(entries);
  for (const file of found) {
    for (const [, path = ''] of textOf(project, file).matchAll(/from '(\.[^']+)\.ts'/g))
      found.add(`${join(dirname(file), path)}.d.ts`);
  }
  return [...found];
}

/**
 * @param {Project} project
 * @param {string} file
 */
function sourceOf(project, file) {
  const source = project.program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} is missing: is it imported from packages/tsconfig.json?`);
  return source;
}

/**
 * @param {Project} project
 * @param {string} file
 */
function textOf(project, file) {
  return sourceOf(project, file).text;
}

/**
 * Files of the package lie side by side, and JavaScript is what they stand for.
 * @param {string} text
 */
function withPackagePaths(text) {
  return text
    .replace(/from '\.\.\/contract\/[^']+'/g, "from './contract.js'")
    .replace(/from '(\.[^']+)\.ts'/g, "from '$1.js'");
}

/**
 * What a file of the contract declares. A type that hangs on a schema is written out;
 * null: it has parameters, so that only those who use it can be.
 * @param {Project} project
 * @param {string} file
 * @returns {Declaration[]}
 */
function declarationsIn(project, file) {
  const source = sourceOf(project, file);
  const found = [];
  for (const statement of source.statements) {
    const text = source.text.slice(statement.pos, statement.end);
    const [, keyword = '', name = ''] =
      /^(?:export )?(?:declare )?(type|interface|class|const|function) (\w+)/m.exec(text) ?? [];
    if (keyword === '' || keyword === 'function') continue;
    const named = /** @type {{ name?: import('typescript/unstable/ast').Node, typeParameters?: unknown }} */ (
      /** @type {unknown} */ (statement)
    );
    const symbol =
      keyword === 'type' && named.typeParameters === undefined && named.name
        ? project.checker.getSymbolAtLocation(named.name)
        : undefined;
    const flat =
      symbol && project.checker.typeToString(project.checker.getDeclaredTypeOfSymbol(symbol), statement, asWritten);
    found.push({
      name,
      text,
      isSchema: keyword === 'const' || /\bz\.|\btypeof\b/.test(text),
      flat: flat ? text.replace(/ = [^]*$/, ` = ${flat};`) : null,
    });
  }
  return found;
}

/**
 * The declarations that are named in those texts, and that these name.
 * @param {Declaration[]} declarations
 * @param {string[]} texts
 */
function used(declarations, texts) {
  const byName = new Map(declarations.map((one) => [one.name, one]));
  if (byName.size < declarations.length) throw new Error('two declarations of the contract have the same name');
  const wordsOf = (/** @type {string} */ text) => text.match(/\w+/g) ?? [];
  /** Whether it names a schema, or what can only be written out by those who use it. */
  const hangsOnSchema = (/** @type {Declaration} */ one) =>
    one.isSchema ||
    wordsOf(one.text).some(
      (word) => word !== one.name && byName.get(word)?.isSchema === true && byName.get(word)?.flat == null,
    );
  const kept = new Set();
  const ask = [...texts];
  for (let text = ask.pop(); text !== undefined; text = ask.pop()) {
    for (const word of wordsOf(text)) {
      const one = byName.get(word);
      if (one === undefined || kept.has(word) || (one.isSchema && one.flat === null)) continue;
      kept.add(word);
      if (hangsOnSchema(one)) {
        if (one.flat === null)
          throw new Error(`${word} hangs on a schema, and only a type without parameters can be written out`);
        one.text = one.flat;
      }
      ask.push(one.text);
    }
  }
  return declarations.filter(({ name }) => kept.has(name));
}
