import type { NoticeListeners } from "@harness/client";

/** Combines listeners: each notice reaches all of them. */
export function combined(all: readonly NoticeListeners[]): NoticeListeners {
  // A listener takes the parameters of its method, which the compiler cannot see here.
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
