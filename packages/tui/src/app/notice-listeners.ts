import type { NoticeListeners } from "@harness/client";

/** Listeners as one: each notice reaches all that listen to it. */
export function combined(all: readonly NoticeListeners[]): NoticeListeners {
  // A listener belongs to the method whose parameters it takes; the compiler cannot see that here.
  const listeners = all as readonly Readonly<Record<string, ((params: unknown) => void) | undefined>>[];
  const methods = new Set(listeners.flatMap((each) => Object.keys(each)));
  return Object.fromEntries(
    [...methods].map((method) => [
      method,
      (params: unknown) => {
        for (const each of listeners) each[method]?.(params);
      },
    ]),
  );
}
