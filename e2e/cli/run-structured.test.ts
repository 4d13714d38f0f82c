import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcessEnd, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

// `harness run --output-schema` as a script uses it: real processes, a model over real HTTP.

const schema = {
  type: "object",
  properties: { verdict: { enum: ["approve", "reject"] }, files: { type: "array", items: { type: "string" } } },
  required: ["verdict", "files"],
  additionalProperties: false,
};
const good = { verdict: "approve", files: ["a.ts"] };
const always = { perConversation: true } as const;

let server: ModelServer;
let place: TestHome;
const run = (...args: string[]): Promise<ProcessEnd> => place.run(["run", "--output-schema", "schema.json", ...args]);
const lastRequest = () => JSON.stringify(server.chatRequests.at(-1)?.body);

beforeAll(async () => {
  const fenced = `Here it is:\n\`\`\`json\n${JSON.stringify(good, undefined, 2)}\n\`\`\``;
  const partial = turns.say('{"verdict":"perhaps","files":[]}');
  server = await startModelServer({
    scenario: {
      name: "structured answers",
      lanes: [
        { match: "at once", turns: [turns.call("ls", {}), turns.say(fenced)], ...always },
        { match: "at last", turns: [partial, turns.say(JSON.stringify(good))], ...always },
        { match: "never", turns: [partial, turns.say("I cannot.")], ...always },
      ],
      turns: [turns.say("Hello.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
  writeFileSync(join(place.cwd, "schema.json"), JSON.stringify(schema));
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

describe("an answer in a form", () => {
  it("is the value alone, and in the result", async () => {
    expect(await run("at once one")).toMatchObject({ code: 0, stdout: `${JSON.stringify(good)}\n` });
    const end = await run("--output-format", "json", "at once two");
    expect(resultOf(end)).toMatchObject({ subtype: "success", structured: good, result: JSON.stringify(good) });
  });

  it("is asked for once more, with what was wrong", async () => {
    const end = await run("--output-format", "json", "at last one");
    expect(resultOf(end)).toMatchObject({ subtype: "success", structured: good, turns: 2 });
    expect(lastRequest()).toContain("Your last message cannot be used: it does not fit the schema. verdict: ");
  });

  it("fails the run if the second one does not fit either", async () => {
    const { code, stderr, ...end } = await run("--output-format", "json", "never one");
    expect(code).toBe(1);
    expect(stderr).toContain("harness: The answer cannot be used: it is not JSON.");
    const result = resultOf({ code, stderr, ...end });
    expect(result).toMatchObject({ subtype: "error", result: "I cannot." });
    expect(result.structured).toBeUndefined();
  });

  it("may be given as a value", async () => {
    const end = await place.run(["run", "--output-schema", JSON.stringify(schema), "at once three"]);
    expect(end).toMatchObject({ code: 0, stdout: `${JSON.stringify(good)}\n` });
  });

  it.each([
    ["nope.json", "nope.json does not exist."],
    ["{nope", "--output-schema: the schema is not valid JSON."],
    ['{"$ref":"#/$defs/none"}', "--output-schema: Unresolved $ref"],
  ])("says before any request what is wrong with the schema %s", async (named, message) => {
    const before = server.chatRequests.length;
    const { code, stderr } = await place.run(["run", "--output-schema", named, "at once"]);
    expect([code, server.chatRequests.length]).toEqual([2, before]);
    expect(stderr).toContain(message);
  });

  it("needs a message", async () => {
    expect((await run("/help")).stderr).toContain("--output-schema needs a message, but /help is a command.");
  });
});
