import { sessionForkContract, sessionStoreContract } from "@harness/testkit";
import { openStore } from "./session-store.ts";

const jsonl = { name: "jsonl", open: openStore };

sessionStoreContract(jsonl);
sessionForkContract(jsonl);
