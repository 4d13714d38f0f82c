import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { storeContract } from "../../test/store-contract.ts";
import { EmbeddedStore } from "./embedded/embedded-store.ts";

const folder = mkdtempSync(join(tmpdir(), "harness stores "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storeContract({ name: "embedded", open: async (name) => EmbeddedStore.make(join(folder, `${name}.db`)) });
