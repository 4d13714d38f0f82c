type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void) | undefined>>;

/** An element. Functions are listeners (`click`), everything else attributes; texts never become markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "string") made.setAttribute(name, value);
    else if (value === true) made.setAttribute(name, "");
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Makes these the children of a parent, and leaves those that are right where they are. */
export function place(parent: HTMLElement, wanted: readonly Node[]): void {
  wanted.forEach((child, at) => {
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}
