import { useSearchParams } from 'react-router';

/**
 * What the address says: what is listed, and which one of it is open.
 * A reload, or a colleague, sees the same. Empty: any.
 * @param one the parameter that names the one that is open
 * @param isKept whether going back undoes a change
 */
export function useAddressFilter<Name extends string>(names: readonly Name[], one = '', isKept = false) {
  const [params, setParams] = useSearchParams();
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;

  function set(change: Partial<Record<string, string>>): void {
    // From the address itself: what was drawn last may not know of a change a moment ago, which would be lost.
    const next = paramsOfAddress();
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next, { replace: !isKept });
  }

  const id = params.get(one) ?? '';
  // It becomes a part of a path, where `..` would lead elsewhere.
  const opened = /^[\w-]+$/.test(id) ? id : null;
  return { filter, opened, isFiltered: names.some((name) => filter[name] !== ''), set };
}

/** Those of the CRM area stand behind `#`. */
function paramsOfAddress(): URLSearchParams {
  const { hash, search } = window.location;
  return new URLSearchParams(hash.startsWith('#/') ? (hash.split('?')[1] ?? '') : search);
}
