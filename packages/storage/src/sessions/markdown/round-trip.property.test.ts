import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type ModelMessage, Projection, type SessionStore } from "@harness/core";
import { type AgentPart, type Content, type Fact, ROOT_AGENT, type StoredFact, ToolOutcome } from "@harness/protocol";
import { appendAll, got, numRuns, sampleFacts } from "@harness/testkit";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

function parsedFields(fields: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, json]) => [name, JSON.parse(json) as unknown]));
}

const root = mkdtempSync(join(tmpdir(), "round-trip-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const AT = Date.UTC(2026, 10, 21);

/** Lines that mean something in a message file, and what surrounds them. */
const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["---", "---\r", "```", "````", "~~~", "\\```", "", " ", "\r", "\ufeff", "\u2028"],
      ...["role: user", "role: assistant\r", "# Title", "> quoted", "🙂", "e\u0301", "\u202e"],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "```tool_call id=call_1 name=bash",
      "\\```tool_call id=a name=b",
      "```thinking signature=x",
      "```thinking",
      "```attached",
      "```quoted",
      "```message_text",
      "```picture path=images/a.png",
      "````tool_call id=a name=b",
      "  ```tool_call id=a name=b",
      "\\\\```attached\r",
      "``` \r",
      '{"command": "ls"}',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
);
const lines = fc.array(line, { maxLength: 6 }).map((each) => each.join("\n"));
const text = fc.oneof(
  { weight: 80, arbitrary: lines },
  { weight: 20, arbitrary: lines.map((each) => each.replaceAll("\n", "\r\n")) },
  // Longer than any part that is read at once.
  { weight: 1, arbitrary: lines.map((each) => `${each}\n`.repeat(4_000)) },
);
const id = fc.oneof(
  fc.constantFrom("call_abc123", "a b", '"q"', "x\ny", "a`b", "=", "\\"),
  fc.string({ minLength: 1 }),
);
const name = fc.constantFrom("bash", "read", "my tool", 'a"b');
const picture: fc.Arbitrary<Content> = fc.record({
  type: fc.constant("image" as const),
  mimeType: fc.constantFrom("image/png", "image/x y", ""),
  data: fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  name: fc.constantFrom("shot.png", "a b\n.png"),
});
const words: fc.Arbitrary<Content> = fc.record({ type: fc.constant("text" as const), text });
const quoted: fc.Arbitrary<Content> = words.map((part) => ({ ...part, quoted: true }));
const content = fc.array(fc.oneof(words, quoted, picture), { minLength: 1, maxLength: 4 });
const vendorData = fc.option(
  fc.json().map((json) => JSON.parse(json) as unknown),
  { nil: undefined },
);
const thinking: fc.Arbitrary<AgentPart> = fc
  .record({ text, signature: fc.option(id, { nil: undefined }), vendorData })
  .map(({ signature, vendorData: vendor, ...part }) => ({
    type: "thinking",
    ...part,
    ...(signature === undefined ? {} : { signature }),
    ...(vendor === undefined ? {} : { vendorData: vendor }),
  }));
const said: fc.Arbitrary<AgentPart> = text.map((each) => ({ type: "text", text: each }));
const call: fc.Arbitrary<AgentPart> = fc
  .record({
    toolCallId: id,
    name,
    // As JSON has it, which knows no -0.
    input: fc.dictionary(fc.string(), fc.json()).map(parsedFields),
    raw: fc.option(text, { nil: undefined }),
  })
  .map(({ input, raw, ...part }) => ({
    type: "tool_call",
    ...part,
    ...(raw === undefined ? { input } : { inputText: raw }),
  }));
const parts = fc.uniqueArray(fc.oneof(thinking, said, call), {
  maxLength: 4,
  selector: (part) => (part.type === "tool_call" ? part.toolCallId : part),
});
const outcome: fc.Arbitrary<ToolOutcome> = fc
  .record({
    status: fc.constantFrom(...ToolOutcome.shape.status.options),
    text,
    image: fc.boolean(),
    picture,
  })
  .map(({ image, picture: shot, ...rest }) => ({
    ...rest,
    blocks: [],
    durationMs: 1,
    ...(image ? { images: [shot] } : {}),
  }));
/** One message of a person with an answer, whose calls get results. */
const turn = fc.record({
  content,
  attached: fc.option(content, { nil: undefined }),
  parts,
  outcome,
  steered: fc.option(content, { nil: undefined }),
});

const numberedIds = (all: AgentPart[], n: number): AgentPart[] =>
  all.map((part, index) =>
    part.type === "tool_call" ? { ...part, toolCallId: `${n}.${index}.${part.toolCallId}` } : part,
  );

function factsOfTurn({ content: asked, attached, parts: made, outcome: result, steered }: Turn, n: number): Fact[] {
  const reply = numberedIds(made, n);
  const calls = reply.filter((part) => part.type === "tool_call");
  const user = (each: Content[], more: object = {}): Fact => ({
    sessionUpdate: "user_message",
    messageId: `m${n}`,
    content: each,
    origin: "user",
    ...more,
  });
  return [
    user(asked, attached ? { attached } : {}),
    {
      sessionUpdate: "agent_message",
      messageId: `r${n}`,
      parts: reply,
      stop: calls.length > 0 ? "tool_calls" : "end",
      provider: "local",
      model: "small model",
    },
    ...(steered ? [user(steered)] : []),
    ...calls.map(
      (each): Fact => ({
        sessionUpdate: "tool_call_update",
        toolCallId: each.toolCallId,
        status: "completed",
        name: each.name,
        outcome: result,
      }),
    ),
  ];
}
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** The messages for the model, with what UTF-8 makes of half characters. */
function forModel(facts: Iterable<StoredFact>): ModelMessage[] {
  const projection = new Projection(() => []);
  for (const fact of facts) projection.see(fact);
  const plain = (key: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : key === "quoted" ? undefined : value;
  const withoutEmpty = ({ ...message }: ModelMessage): ModelMessage =>
    message.role === "user"
      ? { ...message, content: message.content.filter((part) => part.type !== "text" || part.text !== "") }
      : message;
  return JSON.parse(JSON.stringify(projection.messages.map(withoutEmpty), plain)) as ModelMessage[];
}

function openMarkdown(): SessionStore {
  const place = { path: root, isOurs: true };
  return openStore(root, { clock: { now: () => AT }, places: { all: () => [place], forNew: () => place } });
}

it("gives the model the same messages from the files alone, and sees no change where there is none", () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
      const store = openMarkdown();
      const sessionId = store.newSessionId();
      const log = store.create({ sessionId, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
      const facts = appendAll(log, turns.flatMap(factsOfTurn), AT);
      expect(log.outsideChanges()).toEqual([]);
      log.close();
      const again = got(store.open(sessionId));
      expect([...factsOf(again.log)]).toEqual(facts);
      again.log.close();
      rmSync(join(root, sessionId, ".harness"), { recursive: true });
      expect(forModel(factsOf(got(store.load(sessionId))))).toEqual(forModel(facts));
      const rebuilt = got(store.open(sessionId));
      expect(forModel(factsOf(rebuilt.log))).toEqual(forModel(facts));
      expect(rebuilt.log.outsideChanges()).toEqual([]);
      expect([...factsOf(rebuilt.log)].every(({ agentId }) => agentId === ROOT_AGENT)).toBe(true);
      rebuilt.log.close();
    }),
    { numRuns: numRuns(500) },
  );
});

it("keeps facts of all kinds beside the messages", () => {
  const kinds = fc.shuffledSubarray(Object.values(sampleFacts), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(turn, kinds), { minLength: 1, maxLength: 3 }), (turns) => {
      const store = openMarkdown();
      const sessionId = store.newSessionId();
      const log = store.create({ sessionId, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
      const all = turns.flatMap(([each, others], n) => [...factsOfTurn(each, n), ...others]);
      const facts = appendAll(log, all, AT);
      log.close();
      const again = got(store.open(sessionId));
      expect([...factsOf(again.log)]).toEqual(facts);
      expect(again.log.outsideChanges()).toEqual([]);
      again.log.close();
    }),
    { numRuns: numRuns(100) },
  );
});
