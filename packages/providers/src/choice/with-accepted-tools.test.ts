import type { ModelEvent, ModelRequest, ToolSpec } from "@harness/core";
import { endEvent, failedEvent, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../test/clocks.ts";
import { type StrictServer, says, strictServer } from "../../test/strict-server.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { asList, asRecord, asText } from "../json/lenient-json.ts";
import { locate } from "../vendors/locate.ts";
import { assembleProvider } from "./assemble-provider.ts";
import { ProviderMemory } from "./provider-memory.ts";

let server: StrictServer | undefined;
afterEach(() => server?.close());

const tool = (name: string, more: object = {}): ToolSpec => ({
  name,
  description: "Does it.",
  inputSchema: { type: "object", properties: { a: { type: "string", ...more } } },
});
const own = [tool("read"), tool("bash")];
const good = ["mcp__s__one", "mcp__s__two", "mcp__t__three", "mcp__t__four", "plug"].map((name) => tool(name));
const odd = tool("mcp__s__odd", { format: "strange", $comment: "#/$defs/gone" });

/** The positions and the names in a request to the server. */
const namesIn = (body: Record<string, unknown>) =>
  asList(body.tools).map((each) => asText(asRecord(asRecord(each).function).name));

/** A server that refuses some tools, with this message about the first of them. */
async function refusing(isRefused: (name: string) => boolean, words: (name: string, place: number) => string) {
  const started = await strictServer((body) => {
    const names = namesIn(body);
    const place = names.findIndex(isRefused);
    const message = words(names[place] ?? "", place);
    return place < 0 ? says("ok") : { status: 400, body: { error: { message } } };
  });
  server = started;
  const vendor = vendorOf("openai");
  const located = vendor && locate(vendor, { baseUrl: started.url, key: "k" });
  if (!located?.ok) throw new Error("no address");
  const clock = new ManualClock();
  const memory = new ProviderMemory(clock);
  const ask = (tools: ToolSpec[], more: Partial<ModelRequest> = {}) => {
    const assembly = { clock, random: () => 0, env: {}, memory, toolMode: "native" as const };
    const { provider } = assembleProvider(located.endpoint, assembly);
    const foreignTools = tools.flatMap(({ name }) => (own.some((each) => each.name === name) ? [] : [name]));
    return talk(provider, { tools, foreignTools, ...more });
  };
  return { ask, bodies: started.bodies };
}

const leftOutOf = (events: readonly ModelEvent[]) =>
  events.flatMap((each) => (each.type === "left_out" ? each.tools : []));
const all = [...own, ...good.slice(0, 3), odd, ...good.slice(3)];
const names = (tools: readonly ToolSpec[]) => tools.map(({ name }) => name);
const isOdd = (name: string) => name === odd.name;

describe("a tool that the model's server refuses", () => {
  it.each<[string, (name: string, place: number) => string]>([
    ["Anthropic", (_, place) => `tools.${place}.custom.input_schema: JSON schema is invalid.`],
    ["a gateway", (_, place) => `tools[${place}].function.parameters: unknown format`],
    [
      "Gemini",
      (_, place) => `* GenerateContentRequest.tools[0].function_declarations[${place}].parameters: missing field.`,
    ],
    [
      "OpenAI",
      (name) => `Invalid schema for function '${name}': 'strange' is not valid under any of the given schemas.`,
    ],
    ["a name without marks", (name) => `Bad parameters in schema of ${name}, see the documentation`],
    ["the reference alone", () => "PointerToNowhere: '#/$defs/gone' does not exist within the schema"],
    ["the value alone", () => "Invalid JSON schema: unknown format 'strange'"],
  ])("is left out by name, and stays out: %s", async (_who, words) => {
    const { ask, bodies } = await refusing(isOdd, words);
    const events = await ask(all);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "ok" }]);
    expect(leftOutOf(events)).toEqual([odd.name]);
    expect(namesIn(bodies.at(-1) ?? {})).toEqual(names(all).filter((name) => name !== odd.name));
    expect(bodies).toHaveLength(2);
    await ask(all);
    expect(bodies).toHaveLength(3);
  });

  it("is found in a few requests where nothing names it, and the others come back", async () => {
    const { ask, bodies } = await refusing(
      isOdd,
      () => "tools.function.parameters is not a valid moonshot flavored json schema",
    );
    for (let n = 0; n < 4; n += 1) expect(endEvent(await ask(all)).stop).toBe("end");
    expect(leftOutOf(await ask(all))).toEqual([odd.name]);
    expect(namesIn(bodies.at(-1) ?? {})).toEqual(names(all).filter((name) => name !== odd.name));
    // Our own tools are in every request, and never tried one by one.
    for (const body of bodies) expect(namesIn(body)).toEqual(expect.arrayContaining(["read", "bash"]));
    expect(bodies.length).toBeLessThan(16);
    const before = bodies.length;
    await ask(all);
    expect(bodies).toHaveLength(before + 1);
  });

  it("is one of several", async () => {
    const bad = ["mcp__s__odd", "mcp__t__four"];
    const { ask } = await refusing(
      (name) => bad.includes(name),
      (name) => `Invalid schema for function '${name}'`,
    );
    expect(leftOutOf(await ask(all))).toEqual(bad);
  });

  it("is tried again when it has changed", async () => {
    const { ask, bodies } = await refusing(isOdd, (name) => `Invalid schema for function '${name}'`);
    await ask(all);
    await ask([...own, { ...odd, description: "Another." }]);
    expect(namesIn(bodies[2] ?? {})).toContain(odd.name);
  });

  it("is shown as a failure where leaving out helps nothing", async () => {
    const { ask, bodies } = await refusing(
      () => true,
      () => "tools.0.custom.input_schema: no tools here, please",
    );
    const { failure } = failedEvent(await ask(own));
    expect(failure).toMatchObject({ kind: "badRequest", message: expect.stringContaining("did not accept the tools") });
    expect(bodies.length).toBeLessThanOrEqual(3);
  });
});
