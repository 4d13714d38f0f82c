import type { Egress } from "@harness/core";
import { type ModelServer, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import type { Question } from "../../test/resolver.ts";
import { listModels, listProviders, resolveModel } from "../../test/resolver.ts";
import { vendors } from "../vendors/vendors.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };
const keys = { OPENAI_API_KEY: "key-0123456789", ANTHROPIC_API_KEY: "key-9876543210", CLAUDE_CODE_OAUTH_TOKEN: "t" };

/** Local-only; `judge` decides which addresses may be connected to. */
function door(judge: (address: string) => string | undefined = () => undefined) {
  const asked: string[] = [];
  const looked: string[] = [];
  const egress: Egress = {
    localOnly: true,
    leave({ purpose, url }) {
      asked.push(`${purpose} ${new URL(url).origin}`);
      return { judge };
    },
    async barrier(url) {
      looked.push(url);
      return url.includes("public.example.com") ? "It is far away." : undefined;
    },
  };
  return { egress, asked, looked };
}

async function ask(more: Partial<Question>, egress: Egress) {
  const resolved = await resolveModel({
    clock: realClock,
    egress,
    ...more,
    env: { ...noServers, ...keys, ...more.env },
  });
  return "problem" in resolved ? resolved.problem : `${resolved.vendor.id} ${resolved.model}`;
}

describe("local-only mode", () => {
  it.each([
    [
      { provider: "openai", model: "gpt-5.6" },
      /^Not in local-only mode: OpenAI at https:\/\/api\.openai\.com\/v1 is not on this machine/,
    ],
    [{ provider: "anthropic" }, /^Not in local-only mode: Anthropic .* Choose a local model, or turn `local_only` off/],
    [{ model: "anthropic/claude-sonnet-5-5" }, /^Not in local-only mode: Anthropic/],
    [{ model: "sonnet" }, /local-only mode/],
    [{}, /^No local model is available, and harness is in local-only mode/],
  ])("refuses the hosted vendor for %j", async (wanted, why) => {
    const { egress, asked, looked } = door();
    expect(await ask(wanted, egress)).toMatch(why);
    expect(asked.filter((each) => !each.includes("127.0.0.1"))).toEqual([]);
    expect(looked).toEqual([]);
  });

  it("chooses a local server although there are keys, and a vendor at a private address", async () => {
    const server = await startModelServer({
      flavour: "ollama",
      scenario: { models: [{ id: "m" }], turns: [turns.say("hi")] },
    });
    servers.push(server);
    const { egress } = door();
    expect(await ask({ env: { OLLAMA_HOST: server.url } }, egress)).toBe("ollama m");
    const far = door();
    expect(
      await ask(
        { provider: "openai", model: "m", env: { OPENAI_BASE_URL: "https://public.example.com/v1" } },
        far.egress,
      ),
    ).toMatch(/^Not in local-only mode: OpenAI at https:\/\/public\.example\.com/);
    expect(far.looked).toEqual(["https://public.example.com/v1"]);
    expect(
      await ask(
        { provider: "openai", model: "m", env: { OPENAI_BASE_URL: "https://gpu.example.com/v1" } },
        door().egress,
      ),
    ).toBe("openai m");
  });

  it("is noted in lists for each hosted vendor with a key, and none is asked", async () => {
    const { egress, asked } = door();
    const sources = { env: { ...noServers, ...keys }, clock: realClock, egress };
    const views = await listProviders(sources);
    const hosted = new Set(vendors.filter(({ local }) => !local).map(({ id }) => id));
    for (const { id, ready, detail } of views) {
      if (hosted.has(id))
        expect([id, ready, detail]).toEqual([id, false, expect.stringMatching(/^Not in local-only mode: /)]);
    }
    const { models, problems } = await listModels(sources);
    expect(models).toEqual([]);
    expect(problems.filter((each) => each.startsWith("Not in local-only mode: ")).length).toBeGreaterThanOrEqual(2);
    expect(asked.filter((each) => !each.includes("127.0.0.1"))).toEqual([]);
  });

  it("is decided by the resolved address when the connection is made", async () => {
    const server = await startModelServer({ flavour: "openai", scenario: { turns: [turns.say("hi")] } });
    servers.push(server);
    const named = server.baseUrl.replace("127.0.0.1", "localhost");
    const answered = async (judge: (address: string) => string | undefined) => {
      const { egress, asked } = door(judge);
      const resolved = await resolveModel({
        clock: realClock,
        random: () => 0,
        egress,
        provider: "openai",
        model: "scripted",
        env: { ...noServers, ...keys, OPENAI_BASE_URL: named },
      });
      if ("problem" in resolved) return resolved.problem;
      const last = (await talk(resolved.plain, { model: "scripted" })).at(-1);
      expect(asked).toContain(`model ${new URL(named).origin}`);
      return last?.type === "failed" ? `${last.failure.kind}: ${last.failure.message}` : last?.type;
    };
    expect(await answered(() => "Far away.")).toMatch(
      /^network: Local server at .* was not contacted: harness is in local-only mode/,
    );
    const judged: string[] = [];
    const authorize = (address: string) => {
      judged.push(address);
      return undefined;
    };
    expect(await answered(authorize)).toBe("end");
    expect(judged).toContain("127.0.0.1");
  });
});
