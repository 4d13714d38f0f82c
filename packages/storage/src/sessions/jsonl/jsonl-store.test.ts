import { sessionStoreContract } from "@harness/testkit";
import { openStore } from "./jsonl-store.ts";

sessionStoreContract({ name: "jsonl", open: openStore });
