import type { FlagRow } from "../flag-row.ts";

/** Where a server is reached, and how long it stays. */
export const listeningFlags = {
  background: {
    takes: "nothing",
    doc: "Print the id of the session and leave: it goes on by itself, and asks whoever attaches (harness attach, harness sessions --live).",
    in: ["run"],
  },
  live: {
    takes: "nothing",
    doc: "The sessions of every folder that run, wait for an answer or are open somewhere; on a terminal, answer those that wait.",
    in: ["sessions", "session list"],
  },
  connect: {
    takes: "value",
    value: "COMMAND",
    doc: "Open the window on a server that this command leads to, such as 'ssh HOST harness serve --stdio --listen'; --cd is a folder there.",
    in: ["window"],
  },
  stdio: { takes: "nothing", doc: "Speak JSON-RPC 2.0 on stdin and stdout, one object per line.", in: ["serve"] },
  listen: {
    takes: "nothing",
    doc: "Speak it on a socket that only you can open, and print its path; ends by itself when nothing is left to do.",
    in: ["serve"],
  },
  "idle-timeout": {
    takes: "value",
    value: "TIME",
    fallback: "60s",
    doc: "With --listen: how long the server stays without a client and without work.",
    in: ["serve"],
  },
} as const satisfies Record<string, FlagRow>;
