import { useQuery } from '@tanstack/react-query';
import Markdown, { type MarkdownToJSX } from 'markdown-to-jsx/react';
import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loaded } from '../components/Loaded.tsx';
import classes from './ProviderGuide.module.css';

/** The pages of the documentation itself, each a file of its own that is loaded when it is read. */
const guides = import.meta.glob<string>('../../../../../docs/providers/*.md', { query: '?raw', import: 'default' });

/** Its headings stand below the one of the section. */
const rendering: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: { h2: { component: 'h3' }, h3: { component: 'h4' }, code: Code, a: OutLink },
};

/** What to click in that CRM: the provider's page of the documentation, in English. */
export function ProviderGuide({ id }: { id: string }) {
  const guide = useQuery({ queryKey: ['guide', id], queryFn: () => read(id), staleTime: Infinity });
  return (
    <div className={classes.guide ?? ''} lang="en">
      <Loaded query={guide}>{(text) => <Markdown options={rendering}>{text}</Markdown>}</Loaded>
    </div>
  );
}

/** The guide without its title, which the page has already, and what README.md says of every CRM. */
async function read(id: string): Promise<string> {
  const [own, common] = await Promise.all([load(id), load('README')]);
  return `${own.replace(/^# .*\n+/, '')}\n\n${common.slice(common.indexOf('\n## ') + 1)}`;
}

async function load(name: string): Promise<string> {
  const guide = guides[`../../../../../docs/providers/${name}.md`];
  if (guide === undefined) throw new Error(`there is no guide for ${name}`);
  return await guide();
}

/**
 * Opens beside the console, which keeps what was typed.
 * A link to README.md is none here: its text follows on the same page.
 */
function OutLink({ href, children }: { href?: string; children: ReactNode }) {
  if (href?.startsWith('README.md') === true) return <em>{children}</em>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
