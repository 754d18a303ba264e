const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that browsers name, of areas which have no telephone numbers of their own. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Every country that this browser has a name for, in order of the names. */
export function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}
