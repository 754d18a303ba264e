/**
 * Where the telephone network finds one page's telephone: the user and the host of its Contact,
 * and its instance (RFC 5626), a UUID.
 */
export type OwnContact = { user: string; host: string; instance: string };

/** A page that is being reloaded lets go of its lock within this time. Milliseconds. */
const reloadMs = 600;
/** Of an account in one browser; more are long over. */
const mostFormer = 5;

/** Those that telephones of this page have, or had. */
const usedHere = new Set<string>();

/**
 * The Contact of an account in this tab: the same after a reload, so that the network puts the new page in the place of
 * the one before, of which it has not heard that it is gone. A tab that was duplicated, and a further telephone of this
 * page, get one of their own.
 * @param account `user@domain`
 */
export async function claimContact(account: string): Promise<OwnContact> {
  const key = `readyline.contact.${account}`;
  const kept = storageOf(() => sessionStorage);
  const former = read<OwnContact>(kept, key);
  const contact = former !== null && !usedHere.has(former.user) && (await isFree(former)) ? former : newContact();
  usedHere.add(contact.user);
  if (contact !== former) void hold(contact);
  kept?.setItem(key, JSON.stringify(contact));
  return contact;
}

/** One that nobody has. */
export function newContact(): OwnContact {
  const random = crypto.randomUUID().replaceAll('-', '');
  return { user: `r${random.slice(0, 11)}`, host: `r${random.slice(20)}.invalid`, instance: crypto.randomUUID() };
}

/** @returns a SIP address */
export function addressOfContact({ user, host }: OwnContact): string {
  return `sip:${user}@${host};transport=ws`;
}

/**
 * The Contacts of an account that pages of this browser have registered,
 * and not taken back: a page that was killed could not.
 */
export class RegisteredContacts {
  readonly #key: string;
  readonly #store = storageOf(() => localStorage);

  /** @param account `user@domain` */
  constructor(account: string) {
    this.#key = `readyline.contacts.${account}`;
  }

  get all(): OwnContact[] {
    return read<OwnContact[]>(this.#store, this.#key) ?? [];
  }

  add(contact: OwnContact): void {
    this.#keep([...this.all.filter(({ user }) => user !== contact.user), contact].slice(-mostFormer));
  }

  forget(contact: OwnContact): void {
    this.#keep(this.all.filter(({ user }) => user !== contact.user));
  }

  #keep(contacts: OwnContact[]): void {
    this.#store?.setItem(this.#key, JSON.stringify(contacts));
  }
}

/** Whether no other page has it; this one has it then. Who cannot tell takes another one. */
function isFree(contact: OwnContact): Promise<boolean> {
  return hold(contact, AbortSignal.timeout(reloadMs));
}

/** Until the page is gone. */
function hold({ user }: OwnContact, signal?: AbortSignal): Promise<boolean> {
  const locks = typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined);
  if (locks === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const untilTheEnd = new Promise<void>(() => undefined);
    const take = () => {
      resolve(true);
      return untilTheEnd;
    };
    const held =
      signal === undefined
        ? locks.request(`readyline.contact.${user}`, take)
        : locks.request(`readyline.contact.${user}`, { signal }, take);
    held.catch(() => resolve(false));
  });
}

/** Null: the browser refuses it, as to some frames. */
function storageOf(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** Null: there is none, or none that can be read. */
function read<T>(store: Storage | null, key: string): T | null {
  try {
    return JSON.parse(store?.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
