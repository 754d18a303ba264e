import { useSearchParams } from 'react-router';

/**
 * What the address says: what is listed, and which one of it is open. A reload, or a colleague, sees the same. Empty: any.
 * @param one the parameter that names the one that is open
 */
export function useAddressFilter<Name extends string>(names: readonly Name[], one: string) {
  const [params, setParams] = useSearchParams();
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;

  function set(change: Partial<Record<string, string>>): void {
    // From the address itself: what was drawn last may not know of a change a moment ago, which would be lost.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next, { replace: true });
  }

  const id = params.get(one) ?? '';
  // It becomes a part of a path, where `..` would lead elsewhere.
  const opened = /^[\w-]+$/.test(id) ? id : null;
  return { filter, opened, isFiltered: names.some((name) => filter[name] !== ''), set };
}

/** An ISO time as `<input type="datetime-local">` takes it; empty stays empty. */
export function toLocalInput(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

/** What was put into such a field as ISO 8601, UTC; empty where it is no time. */
export function fromLocalInput(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
