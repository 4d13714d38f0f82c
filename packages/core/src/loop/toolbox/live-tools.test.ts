// Tools that are added, removed and changed while a session is open.
import { call, calling, MemorySession, memoryTools, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { promptBudget } from "../../context/system/prompt-budget.ts";
import type { Tool } from "../../ports/tool.ts";
import { Toolbox } from "./toolbox.ts";

const ok = () => ({ status: "ok" as const, text: "done", blocks: [] });
const brought = (name: string, description = `The ${name}.`): Tool => ({
  ...probeTool(name, ok),
  description,
  offer: "any-room",
});
const base = memoryTools();
const toolbox = (contextWindow: number, tools: readonly Tool[] = base) => {
  const made = new Toolbox({ tools, aliases: [] });
  made.fit(promptBudget(contextWindow));
  return made;
};
const names = ({ specs }: Toolbox) => specs.map(({ name }) => name);

describe("a changed table of tools", () => {
  it("adds new tools after those that requests describe, whose bytes stay the same", () => {
    const box = toolbox(128_000);
    const before = JSON.stringify(box.specs).slice(0, -1);
    box.follow({ tools: [brought("weather"), ...base], aliases: [] });
    expect(names(box)).toEqual(["read", "write", "bash", "weather"]);
    expect(JSON.stringify(box.specs).startsWith(before)).toBe(true);
    expect(box.find("weather")?.tool.name).toBe("weather");
  });

  it("leaves the list the same object where nothing that is described has changed", () => {
    const box = toolbox(128_000);
    const { specs } = box;
    box.follow({ tools: base.map((tool) => ({ ...tool })), aliases: [] });
    expect(box.specs).toBe(specs);
  });

  it("drops tools that are gone, and describes a changed tool at its old place", () => {
    const box = toolbox(128_000, [...base, brought("weather"), brought("news")]);
    box.follow({ tools: [...base, brought("news", "Other words.")], aliases: [] });
    expect(names(box)).toEqual(["read", "write", "bash", "news"]);
    expect(box.specs.at(-1)?.description).toBe("Other words.");
    expect(box.find("weather")).toBe(undefined);
  });

  it("hides new tools behind the search where the budget has no room, in a small context window too", () => {
    const box = toolbox(8_192);
    const long = brought("long", "word ".repeat(390));
    const longer = brought("longer", "word ".repeat(390));
    box.follow({ tools: [...base, long, longer], aliases: [] });
    expect(names(box)).toEqual(["read", "write", "bash", "long", "tool_search"]);
    expect(box.hidden.map(({ name }) => name)).toEqual(["longer"]);
    box.follow({ tools: base, aliases: [] });
    expect(names(box)).toEqual(["read", "write", "bash", "tool_search"]);
  });

  it("keeps tools that were found by searching", () => {
    const hidden: Tool = { ...probeTool("calendar", ok), offer: "when-found" };
    const box = toolbox(128_000, [...base, hidden]);
    box.offer(["calendar"]);
    box.follow({ tools: [...base, hidden, brought("weather")], aliases: [] });
    expect(names(box)).toEqual(["read", "write", "bash", "tool_search", "calendar", "weather"]);
  });
});

describe("a session whose tools change", () => {
  it("offers a new tool with the next request of the same turn, and runs it", async () => {
    const replies = [calling(call("a", "make_tool", {})), calling(call("b", "weather", {})), saying("sunny")];
    const memory: MemorySession = new MemorySession({
      script: (_request, n) => replies[n] ?? saying("?"),
      tools: [
        ...base,
        probeTool("make_tool", () => {
          memory.ports.tools = { ...memory.ports.tools, tools: [...memory.ports.tools.tools, brought("weather")] };
          return ok();
        }),
      ],
    });
    await memory.say("make yourself a tool");
    const offered = memory.provider.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered[0]).not.toContain("weather");
    expect(offered[1]).toEqual([...(offered[0] ?? []), "weather"]);
    expect(offered[2]).toEqual(offered[1]);
    expect(
      memory.log.facts.flatMap(({ update }) =>
        update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text] : [],
      ),
    ).toEqual(["done", "done"]);
  });

  it("waits before each request for what its tools prepare, and says when a turn begins", async () => {
    const moments: boolean[] = [];
    const replies = [calling(call("a", "probe", {})), saying("one"), saying("two")];
    const memory = new MemorySession({
      script: (_request, n) => replies[n] ?? saying("?"),
      tools: [probeTool("probe", ok)],
      ports: { prepareTools: async ({ turnStarts }) => void moments.push(turnStarts) },
    });
    await memory.say("first");
    await memory.say("second");
    expect(moments).toEqual([true, false, true]);
  });
});
