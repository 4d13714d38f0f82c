import type { FlagRow } from "../flag-row.ts";

/** Where the page is served, and to whom. */
export const webFlags = {
  port: { takes: "value", value: "PORT", fallback: "any free one", doc: "Port of the page.", in: ["web"] },
  lan: {
    takes: "nothing",
    doc: "Let other devices of the network open the page, such as a phone. Needs --tls-cert and --tls-key, or --plain.",
    in: ["web"],
  },
  "tls-cert": { takes: "value", value: "FILE", doc: "With --lan: the certificate of the page, in PEM.", in: ["web"] },
  "tls-key": { takes: "value", value: "FILE", doc: "With --lan: the key of that certificate, in PEM.", in: ["web"] },
  plain: {
    takes: "nothing",
    doc: "With --lan: without encryption. Whoever can watch the network can read along and act in your name.",
    in: ["web"],
  },
} as const satisfies Record<string, FlagRow>;
