type NamedFolders = { cwd: string; additionalDirectories?: readonly string[] | null | undefined };

/** How a client names the folders of a session: it may have opened them by links, and knows its files by these paths. */
export class ClientFolders {
  /** The real path of each folder with its name, the longest path first. */
  readonly #names: readonly (readonly [real: string, name: string])[];

  /** `named`: as the client has named them; `real`: the same folders without links. */
  constructor(named: NamedFolders, real: NamedFolders) {
    const names = foldersOf(named);
    this.#names = foldersOf(real)
      .map((path, at) => [path, names[at] ?? path] as const)
      .sort(([one], [other]) => other.length - one.length);
  }

  /** The path of a file as the client knows it. */
  nameOf(path: string): string {
    const found = this.#names.find(([real]) => path.startsWith(`${real}/`));
    return found ? found[1].replace(/\/+$/, "") + path.slice(found[0].length) : path;
  }

  /** The path without the links of the client's folders. */
  pathOf(name: string): string {
    const named = this.#names.map(([real, folder]) => [real, folder.replace(/\/+$/, "")] as const);
    const [found] = named
      .filter(([, folder]) => name === folder || name.startsWith(`${folder}/`))
      .sort(([, one], [, other]) => other.length - one.length);
    return found ? found[0] + name.slice(found[1].length) : name;
  }
}

function foldersOf({ cwd, additionalDirectories }: NamedFolders): string[] {
  return [cwd, ...(additionalDirectories ?? [])];
}
