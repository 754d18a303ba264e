import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currencies } from '../../deals/currencies.ts';
import type { Row } from './layoutRows.ts';

/** There are three hundred currencies: whoever looks for one types it. */
const shownAtOnce = 40;

type Props = {
  row: Row;
  field: string;
  /** Fields that may name it. */
  keys: readonly string[];
  onChange: (change: Pick<Row, 'currency' | 'currency_key'>) => void;
};

/**
 * The currency of an amount: always the same, as another field of the record names it,
 * or as it stands beside the amount.
 */
export function CurrencySelect({ row: { currency, currency_key: namedBy }, field, keys, onChange }: Props) {
  const { t } = useTranslation();
  const named = namedBy === undefined || keys.includes(namedBy) ? keys : [...keys, namedBy];

  function choose(chosen: string | null): void {
    const [kind, value = ''] = (chosen ?? '').split(/:(.*)/s);
    onChange({ currency: kind === 'currency' ? value : undefined, currency_key: kind === 'field' ? value : undefined });
  }

  return (
    <Select
      size="xs"
      w={150}
      searchable
      allowDeselect={false}
      aria-label={t('popLayout.currency.of', { field })}
      data={[
        { value: 'value', label: t('popLayout.currency.inValue') },
        {
          group: t('popLayout.currency.fromField'),
          items: named.map((key) => ({ value: `field:${key}`, label: key })),
        },
        {
          group: t('popLayout.currency.fixed'),
          items: currencies.map((code) => ({ value: `currency:${code}`, label: code })),
        },
      ]}
      limit={shownAtOnce}
      value={currency !== undefined ? `currency:${currency}` : namedBy !== undefined ? `field:${namedBy}` : 'value'}
      onChange={choose}
    />
  );
}
