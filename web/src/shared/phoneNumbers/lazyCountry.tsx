import { type ComponentType, lazy, Suspense } from 'react';

type Props = {
  /** E.164, or as far as it is written. */
  number: string;
  /** The country of numbers without a country code; null: there is none. */
  own?: string | null;
};

const Mark = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
  try {
    const [{ CountryMark }, { phoneCountry }] = await Promise.all([
      import('./CountryMark.tsx'),
      import('./internationalFormat.ts'),
    ]);
    return {
      default: ({ number, own = null }: Props) => <CountryMark number={number} own={own} countryOf={phoneCountry} />,
    };
  } catch {
    return { default: () => null };
  }
});

/**
 * Of which country a number is. It comes with the formats of all countries, for which no page waits;
 * without them numbers stand alone.
 */
export function PhoneCountry(props: Props) {
  return (
    <Suspense fallback={null}>
      <Mark {...props} />
    </Suspense>
  );
}
