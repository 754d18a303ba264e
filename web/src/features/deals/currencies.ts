const ownKey = 'readyline.deal-currency';

/** All that a deal may be in (ISO 4217). */
export const currencies: readonly string[] = Intl.supportedValuesOf('currency');

/** The currency of the last deal that was made in this browser; empty: none was. */
export function lastCurrency(): string {
  return localStorage.getItem(ownKey) ?? '';
}

/** A deal was made in that currency: the next one begins with it. */
export function noteCurrency(currency: string): void {
  localStorage.setItem(ownKey, currency);
}
