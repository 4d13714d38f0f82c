import type { WebPorts } from "./web-ports.ts";

const NO_WEB = "The web cannot be reached from here.";

/** For tool tables that are only displayed: no request is possible. */
export const noWeb: WebPorts = {
  egress: { localOnly: true, leave: () => ({ refused: NO_WEB }), barrier: async () => NO_WEB },
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
