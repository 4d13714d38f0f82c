// The table in docs/editors.md, against the schema of the protocol, the running agent and its sources.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { AcpProbe } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";
import { protocolNames } from "../support/acp-schema.ts";

const root = join(import.meta.dirname, "../..");
const { agentMethods, clientMethods, otherMethods, updates } = protocolNames();
/** `yes` or `no` for each row. */
const said = new Map<string, string>();
let sources = "";

beforeAll(() => {
  const page = readFileSync(join(root, "docs/editors.md"), "utf8");
  const [, table = ""] = page.split("### What of the protocol is there");
  for (const [, name = "", there = ""] of table.matchAll(/^\| `([^`]+)` \| (yes|no) \|/gm)) said.set(name, there);
  const folder = join(root, "packages/acp/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  sources = files
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
});

/** The name of a method in the SDK: `fs/read_text_file` is `fs.readTextFile`. */
function sdkName(method: string): string {
  return method.replaceAll("/", ".").replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

describe("the table of what of the protocol is there", () => {
  it("has a row for each method and each kind of update", () => {
    const all = [...new Set([...agentMethods, ...clientMethods, ...otherMethods, ...updates])];
    expect([...said.keys()].toSorted()).toEqual(all.toSorted());
  });

  it("is right about what the agent answers: the rest is no method", async () => {
    await started();
    await probe.initialize();
    const asked = agentMethods.filter((method) => method !== "session/cancel" && method !== "initialize");
    for (const method of [...asked, ...otherMethods]) {
      const { error } = await probe.ask(method, {});
      expect([method, error?.code === -32601 ? "no" : "yes"]).toEqual([method, said.get(method)]);
    }
  });

  it("is right about what the agent sends", () => {
    const client = clientMethods.filter((method) => !agentMethods.includes(method));
    const sends = (method: string) => sources.includes(`methods.client.${sdkName(method)}`);
    expect(client.map((method) => [method, sends(method) ? "yes" : "no"])).toEqual(
      client.map((method) => [method, said.get(method)]),
    );
    const isSent = (kind: string) => sources.includes(`sessionUpdate: "${kind}"`);
    expect(updates.map((kind) => [kind, isSent(kind) ? "yes" : "no"])).toEqual(
      updates.map((kind) => [kind, said.get(kind)]),
    );
  });
});
