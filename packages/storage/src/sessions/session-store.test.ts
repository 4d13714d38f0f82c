import { sessionStoreContract } from "@harness/testkit";
import { openStore } from "./session-store.ts";

sessionStoreContract({ name: "jsonl", open: openStore });
