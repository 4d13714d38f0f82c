import type { WebPorts } from "./web-ports.ts";

const NO_WAY = "There is no way to the web here.";

/** For tables of tools that are only displayed: no request is possible. */
export const noWeb: WebPorts = {
  egress: { localOnly: true, leave: () => ({ refused: NO_WAY }), barrier: async () => NO_WAY },
  allowedPrivate: () => [],
  isSecret: () => false,
  search: () => ({
    wanted: "auto",
    searxngUrl: "",
    braveKey: undefined,
    hasOllamaKey: false,
    ollamaKey: async () => undefined,
  }),
};
