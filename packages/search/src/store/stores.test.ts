import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { storeContract, vectorContract } from "../../test/store-contract.ts";
import { EmbeddedStore } from "./embedded/embedded-store.ts";

const folder = mkdtempSync(join(tmpdir(), "harness stores "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedded = { name: "embedded", open: async (name: string) => EmbeddedStore.make(join(folder, `${name}.db`)) };
storeContract(embedded);
vectorContract(embedded);
