// The agent writes a tool for itself, over the wire of a real server: the user sees it once, and it is used in the same
// session.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientOptions } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

type Question = Parameters<NonNullable<ClientOptions["onQuestion"]>>[0];

let live: LiveServer;
afterEach(() => live.close());

const schema = JSON.stringify({
  name: "shout",
  description: "Shouts.",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
});
const script = (says: string) => `#!/bin/sh\ncase $1 in\n--schema) echo '${schema}' ;;\n--exec) ${says} ;;\nesac\n`;
const path = ".harness/tools/shout";
const write = (content: string) => turns.call("write", { file_path: path, content });
const runBit = turns.call("bash", { command: `chmod +x ${path}` });

/**
 * Runs a session in which every call is allowed; `answer`: to the question about the file. Undefined if nobody takes
 * questions.
 */
async function session(script: Parameters<typeof LiveServer.start>[0]["turns"], answer?: string) {
  live = await LiveServer.start({ turns: [...(script ?? []), turns.say("Done.", { repeat: "always" })] });
  mkdirSync(live.cwd);
  const questions: Question[] = [];
  const { client } = await live.connect(
    async ({ permission }) => {
      const once = permission.options.find(({ kind }) => kind === "allow_once");
      return once ? { outcome: "selected", optionId: once.optionId } : { outcome: "cancelled" };
    },
    {},
    answer === undefined
      ? undefined
      : async (question) => {
          questions.push(question);
          return { action: "accept", text: answer };
        },
  );
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("make yourself a tool") });
  await live.idle();
  const outcomes = live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );
  const offered = live.model.chatRequests.map(({ body }) =>
    (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name),
  );
  return { client, questions, outcomes, offered, texts: outcomes.map(({ text }) => text) };
}

describe("a tool that the agent writes", () => {
  it("is made without a run bit, is shown once to the person, and is used in the same session", async () => {
    const { questions, texts, offered, client } = await session(
      [write(script("tr a-z A-Z")), runBit, turns.call("shout", { text: "hi" })],
      "1",
    );
    expect(texts[0]).toContain(`shout is not used: it is not executable. Run chmod +x`);
    expect(texts[1]).toContain(`[${path}: \`shout\` is one of your tools from your next message on.]`);
    expect(questions).toHaveLength(1);
    expect(questions[0]?.message).toContain(
      `${path}, as a tool of the agent: ${path} --schema now, and ${path} --exec when`,
    );
    expect(questions[0]?.message).toContain("--exec) tr a-z A-Z ;;");
    expect(offered.map((names) => names.includes("shout"))).toEqual([false, false, true, true]);
    expect(texts[2]).toBe('{"TEXT":"HI"}');
    expect((await client.call("trust/get", { cwd: live.cwd })).state).toBe("trusted");
  });

  it("is off again when it has changed, until the person has seen that, too", async () => {
    const { questions, texts, offered } = await session(
      [
        write(script("cat")),
        runBit,
        turns.call("read", { file_path: path }),
        write(script("tr a-z A-Z")),
        turns.call("shout", { text: "hi" }),
      ],
      "1",
    );
    expect(questions).toHaveLength(2);
    expect(questions[1]?.message).toContain("tr a-z A-Z");
    expect(texts.at(-1)).toBe('{"TEXT":"HI"}');
    expect(offered.at(-1)).toEqual(offered[2]);
  });

  it("does not run in the same reply that has changed it, whatever the person says to that", async () => {
    const both = turns.calls([
      ["write", { file_path: path, content: script("touch ran") }],
      ["shout", { text: "hi" }],
    ]);
    const { texts } = await session([write(script("cat")), runBit, turns.call("read", { file_path: path }), both], "1");
    expect(texts.at(-1)).toContain("`shout` was not run: its file has changed");
    expect(existsSync(join(live.cwd, "ran"))).toBe(false);
  });

  it("stays off when the person says no, and what it would do is not done", async () => {
    const { questions, texts, offered } = await session(
      [write("#!/bin/sh\ntouch ran\n"), runBit, turns.call("shout", { text: "hi" })],
      "2",
    );
    expect(questions).toHaveLength(1);
    expect(texts[1]).toContain(`[${path}: not used: the person has not trusted it. They can still do so with /trust.]`);
    expect(texts[2]).toContain("There is no tool `shout`");
    expect(offered.flat()).not.toContain("shout");
    expect(existsSync(join(live.cwd, "ran"))).toBe(false);
  });

  it("stays off where nobody can be asked, with a sentence", async () => {
    const { texts, offered } = await session([write(script("cat")), runBit]);
    expect(texts[1]).toContain(
      `[${path}: not used: the person has not trusted it. Nobody can be asked here; the person can trust it with /trust or \`harness trust\`.]`,
    );
    expect(offered.flat()).not.toContain("shout");
  });

  it("that is not a tool says why", async () => {
    const { texts } = await session([write("#!/bin/sh\necho hello\n"), runBit], "1");
    expect(texts[1]).toContain('shout is not used as a tool: its --schema did not print a JSON object, but "hello".]');
  });
});

it("a hook that the agent writes counts in the same session once the person has seen it", async () => {
  const hook = ".harness/hooks.d/tool_exec/05-no-push";
  const content =
    "#!/bin/sh\ninput=$(cat)\ncase $input in *'git push'*) echo '{\"error\":\"Nobody pushes here.\"}'; exit 1;; esac\nprintf '%s' \"$input\"\n";
  const push = turns.call("bash", { command: "git push" });
  const { questions, texts } = await session(
    [
      turns.call("write", { file_path: hook, content }),
      turns.call("bash", { command: `chmod +x ${hook}` }),
      push,
      turns.call("bash", { command: "echo fine" }),
    ],
    "1",
  );
  expect(questions).toHaveLength(1);
  expect(questions[0]?.message).toContain(`${hook}, as a hook of the stage tool_exec.`);
  expect(texts[1]).toContain(`[${hook}: the hook is active from now on.]`);
  expect(texts[2]).toContain("Nobody pushes here.");
  expect(texts[3]).toBe("fine");
});
