import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, linesOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      name: "runs whose agent asks",
      lanes: [
        {
          match: "ask",
          turns: [
            turns.call("question", { question: "Which way?", answers: ["Left", "Right"] }),
            turns.say("Thank you.", { repeat: "always" }),
          ],
          perConversation: true,
        },
      ],
      turns: [turns.say("Hello.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const asLine = (line: object): string => `${JSON.stringify(line)}\n`;
const answersOf = (lines: Line[]): string[] =>
  lines.flatMap(({ update }) => {
    const { outcome } = (update ?? {}) as { outcome?: { text: string } };
    return outcome ? [outcome.text] : [];
  });

async function feed(prompt: string, reply: (elicitationId: string) => object | undefined, ...flags: string[]) {
  const harness = place.start(["run", "--input-format", "stream-json", "--json", ...flags], { stdin: "pipe" });
  harness.child.stdin?.write(asLine({ type: "prompt", prompt }));
  await harness.says("stdout", '"type":"question"');
  const question = linesOf(harness.stdout).find(({ type }) => type === "question") as Line;
  const line = reply(question.elicitationId as string);
  if (line) harness.child.stdin?.write(asLine(line));
  await harness.says("stdout", '"outcome"');
  harness.child.stdin?.end();
  const { code, stdout, stderr } = await harness.ended;
  return { code, question, answers: answersOf(linesOf(stdout)), stderr };
}

describe.concurrent("a question of the agent in a run", () => {
  it("is printed on stdout and answered by a line of stdin", async () => {
    const run = await feed("ask to hear", (elicitationId) => ({
      type: "question_reply",
      elicitationId,
      answer: "2",
    }));
    expect(run).toMatchObject({ code: 0, answers: ["The person chose: Right"] });
    expect(run.question).toMatchObject({ message: "Which way?", freeText: true, agentId: "main" });
    expect(Date.parse(run.question.expiresAt as string)).toBeGreaterThan(Date.now());
  });

  it("may be declined", async () => {
    const { answers } = await feed("ask in vain", (elicitationId) => ({ type: "question_reply", elicitationId }));
    expect(answers).toEqual([expect.stringContaining("The person declined to answer.")]);
  });

  it("ends after its timeout", async () => {
    const { code, answers } = await feed("ask slowly", () => undefined, "--question-timeout", "200ms");
    expect(code).toBe(0);
    expect(answers).toEqual([expect.stringContaining("Nobody answered within 0.2 s. Decide yourself")]);
  });

  it("does not wait when stdin has ended, or when stdin is not read", async () => {
    const ended = await place.run(["run", "--input-format", "stream-json", "--json"], {
      stdin: asLine({ type: "prompt", prompt: "ask an empty room" }),
    });
    expect(answersOf(linesOf(ended.stdout))).toEqual([expect.stringContaining("Nobody answered.")]);
    const alone = await place.run(["run", "--json", "ask alone"]);
    expect(answersOf(linesOf(alone.stdout))).toEqual([expect.stringContaining("Nobody can be asked here.")]);
  });
});

it.each(["--mode", "--permission-mode"])("a run with %s plan offers the tools of planning", async (flag) => {
  const { code } = await place.run(["run", flag, "plan", "--json", "go"]);
  expect(code).toBe(0);
  const body = server.chatRequests.at(-1)?.body as { tools: { function: { name: string } }[] };
  const names = body.tools.map((tool) => tool.function.name);
  expect(names).toContain("read");
  expect(names).not.toContain("write");
});
