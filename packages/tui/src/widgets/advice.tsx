import { Box } from "ink";
import { sanitiseLine } from "../text/index.ts";
import { Themed } from "./themed.tsx";

/** How to get a model, where there is none. */
export function Advice({ lines }: { readonly lines: readonly string[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line) => (
        <Themed key={line} tone="warning" wrap="wrap">
          {sanitiseLine(line)}
        </Themed>
      ))}
    </Box>
  );
}
