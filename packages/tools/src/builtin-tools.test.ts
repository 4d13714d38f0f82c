import { isWhole, MemoryCodeSearch, MemoryLedger, toolContract } from "@harness/testkit";
import { builtinTools } from "./index.ts";

toolContract("built-in tools", {
  table: () => builtinTools({ toolTimeoutMs: 20_000, code: new MemoryCodeSearch("/") }),
  ledger: () => new MemoryLedger(),
  slow: { bash: { command: "echo started; sleep 300" } },
});

if (isWhole) {
  toolContract("built-in tools without ripgrep", {
    table: () => builtinTools({ toolTimeoutMs: 20_000, rgPath: null }),
    ledger: () => new MemoryLedger(),
    slow: { bash: { command: "echo started; sleep 300" } },
  });
}
