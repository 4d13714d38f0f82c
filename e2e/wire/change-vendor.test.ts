import { mkdirSync } from "node:fs";
import { type ModelServer, startModelServer } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const MODEL = "scripted:latest";
const others: ModelServer[] = [];
let live: LiveServer | undefined;
afterEach(async () => {
  await live?.close();
  await Promise.all(others.splice(0).map((server) => server.close()));
});

// Each scripted server refuses what its vendor would refuse: foreign signatures, calls without results, odd ids.
it("a session can be continued with every API, in any order", async () => {
  const order = ["anthropic", "chatgpt", "gemini", "ollama", "mistral", "anthropic", "deepseek", "llamacpp"] as const;
  const servers = new Map<string, ModelServer>();
  for (const flavour of new Set(order)) {
    const scenario = {
      models: [{ id: MODEL }],
      turns: [
        {
          thinking: `I am ${flavour}.`,
          text: "First a look.",
          toolCalls: [{ name: "ls" }, { name: "ls", arguments: { path: "." } }],
        },
        { thinking: "Seen.", text: `${flavour} has looked.` },
        { thinking: "Again.", text: "Once more.", toolCalls: [{ name: "ls" }] },
        { text: `${flavour} has looked twice.` },
      ],
    };
    const server = await startModelServer({ flavour, scenario });
    servers.set(flavour, server);
    others.push(server);
  }
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  const environment = Object.assign({}, ...others.map((server) => server.environment));
  const { client } = await live.connect(undefined, { ...environment, HARNESS_MODEL: "" });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  let seq = 0;
  for (const [turn, provider] of order.entries()) {
    await client.call("session/set_config_option", { sessionId, config: { provider, model: MODEL } });
    await client.call("session/prompt", { sessionId, promptId: `p${turn}`, prompt: say(`look, ${provider}`) });
    const idle = await live.idle(seq);
    expect({ provider, ...idle.update }).toMatchObject({ provider, stopReason: "end_turn" });
    seq = idle.seq ?? seq;
  }
  for (const [flavour, server] of servers) expect([flavour, server.problems]).toEqual([flavour, []]);
});
