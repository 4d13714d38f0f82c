/** How much a model may think before it answers. A vendor with fewer levels gets the nearest (docs/providers.md). */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** `off` is what `none` was called before; sessions and scripts still say it. */
export function effortOf(text: string): string {
  return text === "off" ? "none" : text;
}
