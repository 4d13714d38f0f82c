import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "@harness/protocol/version";
import { expect, it } from "vitest";
import { describeAgent } from "./agent-description.ts";

const file = (name: string) => readFileSync(join(import.meta.dirname, "../..", name), "utf8");

it("describes this version to the registry of agents, with an icon of one colour", () => {
  const agent = JSON.parse(file("agent.json"));
  const { agentInfo, authMethods } = describeAgent({ protocolVersion: 1 }, VERSION);
  expect(agent).toMatchObject({ id: agentInfo?.name, version: VERSION, icon: "icon.svg" });
  expect(agent.distribution.npx).toEqual({ package: `harness@${VERSION}`, args: ["acp"] });
  expect(file(agent.icon)).toMatch(/^<svg [^>]*width="16" height="16"[^>]*stroke="currentColor"/);
  // A method without a type is one of the agent itself.
  expect(authMethods?.map((method) => ("type" in method ? method.type : "agent"))).toEqual(["agent"]);
});
