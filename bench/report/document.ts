import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/** Between these two the benchmark writes; the rest of the document is by hand. */
const begin = (name: string) => `<!-- measured: ${name} -->`;
const end = (name: string) => `<!-- end of ${name} -->`;

/**
 * Replaces what stands between a section's two markers in a Markdown file. A section, or a file, that is not there
 * yet is added at the end. The file is formatted as its folder asks for.
 */
export async function writeSections(file: string, sections: ReadonlyMap<string, string>): Promise<void> {
  let text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  for (const [name, content] of sections) text = withSection(text, name, content);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function withSection(text: string, name: string, content: string): string {
  const section = `${begin(name)}\n\n${content.trim()}\n\n${end(name)}`;
  const from = text.indexOf(begin(name));
  const to = text.indexOf(end(name));
  if (from === -1 || to < from) return `${text.trimEnd()}\n\n${section}\n`.trimStart();
  return text.slice(0, from) + section + text.slice(to + end(name).length);
}
