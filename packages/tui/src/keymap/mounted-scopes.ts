/** A component's position in the tree: its index among its siblings, at each level from the root. */
export type TreePath = readonly number[];

type Mounted = { readonly name: string; readonly path: () => TreePath };

/** The names of the scopes whose components are mounted. They are asked in tree order, from top to bottom. */
export class MountedScopes {
  readonly #mounted = new Set<Mounted>();
  #inOrder: readonly string[] | undefined;

  /** A component with this scope was mounted; returns a function that unmounts it. */
  mount(name: string, path: () => TreePath): () => void {
    const mounted = { name, path };
    this.#mounted.add(mounted);
    this.#inOrder = undefined;
    return () => {
      this.#mounted.delete(mounted);
      this.#inOrder = undefined;
    };
  }

  get inOrder(): readonly string[] {
    this.#inOrder ??= [...this.#mounted]
      .map(({ name, path }) => ({ name, path: path() }))
      .sort((a, b) => compared(a.path, b.path))
      .map(({ name }) => name);
    return this.#inOrder;
  }
}

function compared(a: TreePath, b: TreePath): number {
  const at = a.findIndex((step, level) => step !== b[level]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
