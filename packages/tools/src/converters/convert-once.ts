type ConvertOptions<Ask> = { convert: Ask };

/** The converter process's side (run-converter.ts): answers one order and exits. An exception ends it as well. */
export function convertOnce<Ask>(convert: (ask: Ask) => unknown): void {
  process.once("disconnect", () => process.exit());
  process.once("message", ({ convert: ask }: ConvertOptions<Ask>) => {
    process.send?.({ converted: convert(ask) }, () => process.exit());
  });
}
