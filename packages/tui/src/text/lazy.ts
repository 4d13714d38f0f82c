/** Grows with each piece of code that was loaded: rows made before may look better now. */
let generation = 0;

export function loadedGeneration(): number {
  return generation;
}

const listeners = new Set<() => void>();

/** Calls `listener` whenever requested code was loaded. Returns a function that stops that. */
export function onLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Code that is loaded when first needed. `get` never waits and gives undefined until it is there. */
export class Lazy<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T | undefined> | undefined;
  #value: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  get(): T | undefined {
    if (this.#value === undefined) void this.ready();
    return this.#value;
  }

  /** Undefined when it could not be loaded: only the looks depend on it. */
  ready(): Promise<T | undefined> {
    this.#loading ??= this.#load().then(
      (value) => {
        this.#value = value;
        generation += 1;
        for (const listener of listeners) listener();
        return value;
      },
      () => undefined,
    );
    return this.#loading;
  }
}
