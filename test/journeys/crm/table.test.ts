import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crmAbilities } from '../../../src/contract/crm.ts';
import { providers } from '../../../src/providers/registry.ts';
import { abilities, crms } from './table.ts';

const here = new URL('.', import.meta.url);
const guides = new URL('../../../docs/providers/', import.meta.url);

describe('the table of CRM systems, abilities and cases', () => {
  it('has a row for every CRM that the gateway can connect to, and for one that was registered beside them', () => {
    expect(crms.map(({ id }) => id)).toEqual([...providers.map(({ id }) => id), 'harbour_crm']);
    expect(crms.slice(0, providers.length).map(({ name }) => name)).toEqual(providers.map(({ name }) => name));
  });

  it('has a file for every ability that the catalog tells of, the guide of every CRM, and what holds for all of them', () => {
    expect(abilities).toEqual(crmAbilities);
    for (const ability of abilities)
      expect(existsSync(new URL(`${camelCased(ability)}.test.ts`, here)), ability).toBe(true);
    expect(readdirSync(guides).toSorted()).toEqual(['README.md', ...providers.map(({ id }) => `${id}.md`)].toSorted());
  });
});

function camelCased(ability: string): string {
  return ability.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
