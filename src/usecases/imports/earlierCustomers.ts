import { differsById } from '../../domain/samePerson.ts';
import type { RowDraft } from './readRow.ts';
import type { KeptCustomers } from './keptCustomers.ts';
import { contactKey, type Customer, firstKeyOf, nameKeyOf } from './rowKeys.ts';

/** The customers whom earlier rows have come to, by what they are known by (`rowKeys.ts`). */
export class EarlierCustomers {
  readonly #kept: Pick<KeptCustomers, 'get'>;
  readonly #ofBatch = new Map<string, Customer>();

  /** @param kept those of earlier batches */
  constructor(kept: Pick<KeptCustomers, 'get'>) {
    this.#kept = kept;
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  /** Whom a row has come to who is this contact. */
  ofContact(contact: Parameters<typeof contactKey>[0] | undefined): Customer | undefined {
    return contact && this.#asNow(this.#get(contactKey(contact)));
  }

  /** Makes the customer of one more row known. Returns those of the keys that are new. */
  add(keys: readonly string[], customer: Customer): string[] {
    const fresh = [...new Set(keys)].filter((key) => !this.has(key) && this.#tellsOf(key, customer));
    for (const key of fresh) this.#ofBatch.set(key, customer);
    return fresh;
  }

  /** The same of a row of whom nobody has anything: nothing is looked up, and nothing tells of another customer. */
  addNew(keys: readonly string[], customer: Customer): string[] {
    const fresh = [...new Set(keys)].filter((key) => !tellsOfAnother(key));
    for (const key of fresh) this.#ofBatch.set(key, customer);
    return fresh;
  }

  /** Those who have one of these keys and can be whose is asked for, each once. */
  with(keys: readonly string[], fits: (customer: Customer) => boolean = () => true): Customer[] {
    const found = keys.flatMap((key) => this.#asNow(this.#get(key)) ?? []).filter(fits);
    return [...new Map(found.map((customer) => [customer.row, customer])).values()];
  }

  /** The earliest of them. */
  first(keys: readonly string[], fits?: (customer: Customer) => boolean): Customer | undefined {
    return this.with(keys, fits).toSorted((one, other) => one.row - other.row)[0];
  }

  /**
   * The customer of a row that was refused, where one of these numbers and addresses can be theirs.
   * @param alias another name of whose row it is
   */
  refused(draft: RowDraft, reach: readonly string[], alias = ''): Customer | undefined {
    const name = nameKeyOf(draft);
    const kinds = name === '' ? ['p:', 's:', 'e:', 'u:'] : [];
    const keys = reach.flatMap((key) => [
      ...kinds.map((kind) => kind + key),
      ...[name, alias, ''].flatMap((one) => [`n:${key}|${one}`, `t:${key}|${one}`]),
    ]);
    return this.first(keys, (customer) => this.isRefused(customer) && !differsById(draft, customer));
  }

  /** Whether nothing was written of the customer. */
  isRefused({ row }: Pick<Customer, 'row'>): boolean {
    return !this.has(`q:${row}:`);
  }

  /** Whether the customer whom a row came to first has this number or address, as later rows have left it. */
  hasReach(row: number, key: string): boolean {
    return this.has(`q:${row}:${key}`);
  }

  /** Of the customer whom a row came to first, as later rows have left it; empty: it has none. */
  nameOfRow(row: number): string {
    return this.#get(`w:${row}`)?.name ?? '';
  }

  /** Likewise; null: none. */
  idOfRow(row: number): string | null {
    return this.#get(`i:${row}`)?.externalId ?? null;
  }

  /** An earlier batch's comes first. */
  #get(key: string): Customer | undefined {
    return this.#kept.get(key) ?? this.#ofBatch.get(key);
  }

  /** With the external id that a later row has given. */
  #asNow(customer: Customer | undefined): Customer | undefined {
    return customer && { ...customer, externalId: this.idOfRow(customer.row) ?? customer.externalId };
  }

  /**
   * Some keys tell that there is another customer with a number or address, or with one and a name,
   * or one without an external id.
   */
  #tellsOf(key: string, { row, externalId }: Customer): boolean {
    if (!tellsOfAnother(key)) return true;
    const first = this.#get(key.startsWith('t:') ? `n:${key.slice(2)}` : firstKeyOf(key.slice(2)));
    return first !== undefined && (key.startsWith('u:') ? externalId === null : first.row !== row);
  }
}

function tellsOfAnother(key: string): boolean {
  return key.startsWith('s:') || key.startsWith('t:') || key.startsWith('u:');
}
