import { Anchor, VisuallyHidden } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ScreenPop } from '../../../src/contract/screenPops.ts';
import { crmProviders } from '../../../src/contract/vocabulary.ts';
import classes from './RecordLink.module.css';

type Props = {
  record: { external_system?: string | null | undefined; record_url?: ScreenPop['record_url'] | null };
  /** Names whose record it is, where several are listed. */ who?: string;
};

/**
 * Opens the customer's record in the CRM, in a tab of its own. Nothing where there is no address that may be opened.
 */
export function RecordLink({ record: { external_system, record_url }, who }: Props) {
  const { t } = useTranslation();
  const address = recordAddress(record_url ?? '');
  if (address === null) return null;
  const system = systemName(external_system ?? null);
  const text = system === null ? t('shared.record.open') : t('shared.record.openIn', { system });
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      display="inline-flex"
      className={classes.link ?? ''}
    >
      <IconExternalLink size={14} aria-hidden />
      {text}
      <VisuallyHidden>
        {who === undefined ? '' : ` ${who}`} {t('shared.record.newTab')}
      </VisuallyHidden>
    </Anchor>
  );
}

/** What people call the CRM. Null: it has no name of its own. */
function systemName(system: string | null): string | null {
  if (system === null || system === '' || system === 'custom') return null;
  return crmProviders.find(({ id }) => id === system)?.name ?? readable(system);
}

/**
 * An id, such as that of a CRM which is newer than this page, as people write a name;
 * what is no plain id stays as it is.
 */
function readable(id: string): string {
  if (!/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(id)) return id;
  const words = id
    .split(/[_-]/)
    .map((word) => (['crm', 'erp'].includes(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)));
  return words.join(' ');
}

/** The address of a record if it may be opened, else null: a CRM's texts come from strangers. */
export function recordAddress(text: string): string | null {
  if (text.length > 2048 || !URL.canParse(text)) return null;
  const { href, protocol, username, password } = new URL(text);
  // A name before the host shows one address and opens another.
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '' ? href : null;
}
