// Translators and extensions wrap, move or remove nodes of the page. React then removes or inserts at nodes that are no longer
// where it put them, and the browser throws, which would replace the page by an error (React issue 11538).

/** Makes the removal and insertion of nodes work where something else has changed their surroundings. */
export function tolerateForeignChanges(): void {
  const removeChild = Reflect.get(Node.prototype, 'removeChild') as (this: Node, child: Node) => void
  const insertBefore = Reflect.get(Node.prototype, 'insertBefore') as (
    this: Node,
    node: Node,
    next: Node | null,
  ) => void
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const own = findChild(this, child)
    if (own) removeChild.call(this, own)
    else child.parentNode?.removeChild(child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    insertBefore.call(this, node, next && (findChild(this, next) ?? null))
    return node
  }
}

/** The child of `parent` that is `node` or has been wrapped around it. */
function findChild(parent: Node, node: Node): Node | undefined {
  let child: Node | null = node
  while (child && child.parentNode !== parent) child = child.parentNode
  return child ?? undefined
}
