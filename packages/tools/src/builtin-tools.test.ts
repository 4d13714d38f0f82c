import { toolContract } from "@harness/testkit";
import { builtinTools, createFileLedger } from "./index.ts";

toolContract("built-in tools", {
  table: () => builtinTools({ toolTimeoutMs: 20_000 }),
  ledger: createFileLedger,
  slow: { bash: { command: "echo started; sleep 300" } },
});

toolContract("built-in tools without ripgrep", {
  table: () => builtinTools({ toolTimeoutMs: 20_000, rgPath: null }),
  ledger: createFileLedger,
  slow: { bash: { command: "echo started; sleep 300" } },
});
