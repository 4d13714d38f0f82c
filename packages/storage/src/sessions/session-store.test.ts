import {
  type StoreRow,
  sessionArchiveContract,
  sessionBinContract,
  sessionForkContract,
  sessionStoreContract,
} from "@harness/testkit";
import { openStore } from "./session-store.ts";

const jsonl: StoreRow = { name: "jsonl", open: openStore };
const markdown: StoreRow = {
  name: "markdown",
  open(root, options) {
    const place = { path: root, isOurs: true };
    return openStore(root, { ...options, places: { all: () => [place], forNew: () => place } });
  },
};

for (const row of [jsonl, markdown]) {
  sessionStoreContract(row);
  sessionForkContract(row);
  sessionArchiveContract(row);
  sessionBinContract(row);
}
