/**
 * Programs that translate pages put elements of their own in the place of texts that React has made, and React fails
 * where it looks for them: the whole page would be gone, in mid-call. Pages say that they are not to be translated
 * (`translate="no"`); for programs that do it all the same, what is no longer where React has put it is taken away, or
 * put before, as near as it can be.
 */
export function tolerateForeignNodes(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    const { parentNode } = child;
    if (parentNode === null) return child;
    return removeChild.call(parentNode, child) as T;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(this: Node, added: T, before: Node | null): T {
    let at = before;
    while (at !== null && at.parentNode !== this) at = at.parentNode;
    return insertBefore.call(this, added, at) as T;
  };
}
