import { afterEach, describe, expect, it } from "vitest";
import { takeAgentWalk } from "./agent-walk.ts";
import { openProof, type Proof } from "./proof.ts";

let proof: Proof;
afterEach(() => proof.end());

describe("a walk among two agents, in a real terminal", () => {
  it.each([
    [80, 24],
    [200, 60],
  ])("opens one, reads it live, writes to it, and stops the other (%i×%i)", async (columns, rows) => {
    proof = await openProof({ columns, rows, scenario: "two-agents" });
    const { window, model } = proof;
    const seen: string[] = [];
    await takeAgentWalk(window, (name) => seen.push(name));
    expect(seen).toEqual(["asked", "tree", "reader", "stopped"]);
    const written = model.requests
      .map((request) => JSON.stringify(request.body))
      .filter((body) => body?.includes("README as well"));
    expect(written.length).toBeGreaterThan(0);
    expect(written.every((body) => body?.includes("Find out who uses sum()"))).toBe(true);
    expect(model.problems).toEqual([]);
    window.press("ctrl+d");
    expect((await window.exit).code).toBe(0);
  });
});
