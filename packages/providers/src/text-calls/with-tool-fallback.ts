import type { WireProvider } from "../wires/wire-api.ts";
import { withSecondTry } from "./with-second-try.ts";

/** Offers tools in the prompt if the server says that the model does not support them. */
export function withToolFallback(native: WireProvider, prompted: WireProvider): WireProvider {
  return withSecondTry(native, prompted, {
    refusal: "no_tools",
    what: "no_native_tools",
    key: ({ tools, model }) => (tools.length > 0 ? model : undefined),
    detail: ({ model }) => `${model} does not support tools: they are described in the prompt.`,
  });
}
