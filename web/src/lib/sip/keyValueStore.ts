/** What keeps something over the end of a page, e.g. `sessionStorage`. */
export type KeyValueStore = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
