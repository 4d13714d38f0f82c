/** How often code arrived: rows made before the last time may look better now. */
let generation = 0;

export function loadedGeneration(): number {
  return generation;
}

const listeners = new Set<() => void>();

/** Called whenever code that was asked for has arrived. Gives the way to stop that. */
export function onLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Code that is loaded when first needed. `get` never waits: until it is there, one does without. */
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

  /** Undefined when it could not be loaded: what it does is an ornament. */
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
