import { gunzipSync } from "node:zlib";
import { memoryPages } from "@harness/core";
import { type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { sampleFacts } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { AtifTrajectory } from "../../../../test/atif-schema.ts";
import { exportWriters } from "./export-formats.ts";
import type { ExportSource } from "./export-source.ts";
import { markdownHtml } from "./markdown-html.ts";

const SECRET = "sk-not-for-others-0123456789";
const header = {
  sessionId: "20261121-143022-x7f3",
  cwd: "/project",
  createdAt: "2026-11-21T13:30:22.000Z",
  version: 1,
};

type Line = Fact | { by: string; update: Fact };

function sessionOf(said: readonly Line[], more: Partial<ExportSource> = {}): ExportSource {
  const facts = said.map((each, index): StoredFact => {
    const { by, update } = "update" in each ? each : { by: ROOT_AGENT, update: each };
    return {
      seq: index + 1,
      at: new Date(Date.parse(header.createdAt) + index * 1000).toISOString(),
      agentId: by,
      update,
    };
  });
  return {
    ...{
      header,
      title: "Repair",
      version: "1.2.3",
      pages: memoryPages(() => facts),
      savedTexts: [],
      markdown: markdownHtml,
    },
    hide: (text) => text.replaceAll(SECRET, "[secret KEY]"),
    open: (text) => [...SECRET].findLastIndex((_, at) => text.endsWith(SECRET.slice(0, at + 1))) + 1,
    leave: () => undefined,
    ...more,
  };
}

function exported(format: keyof typeof exportWriters, source: ExportSource): string {
  const pieces = [...exportWriters[format].write(source)];
  return format === "bundle"
    ? gunzipSync(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).toString()
    : pieces.join("");
}

const asks = (text: string): Fact => ({
  sessionUpdate: "user_message",
  messageId: `m-${text}`,
  content: [{ type: "text", text }],
  origin: "user",
});
const answers = (text: string, ...calls: [id: string, name: string, input: Record<string, unknown>][]): Fact => ({
  sessionUpdate: "agent_message",
  messageId: `a-${text}`,
  parts: [
    { type: "thinking", text: `Hm: ${text}` },
    { type: "text", text },
    ...calls.map(([toolCallId, name, input]) => ({ type: "tool_call" as const, toolCallId, name, input })),
  ],
  stop: calls.length > 0 ? "tool_calls" : "end",
  usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40 },
  cost: { usd: 0.5, unpricedRequests: 0 },
  provider: "local",
  model: "small-model",
});
const ends = (toolCallId: string, title: string, text: string): Fact => ({
  sessionUpdate: "tool_call_update",
  ...{ toolCallId, title, status: "completed" },
  outcome: { status: "ok", text, blocks: [], durationMs: 1 },
});
const child = (childAgentId: string, state: "running" | "completed", toolCallId?: string): Fact => ({
  sessionUpdate: "subagent_update",
  ...{ childAgentId, state, task: `look at ${childAgentId}`, ...(toolCallId ? { toolCallId } : {}) },
  ...(state === "completed" ? { output: "seen" } : {}),
});

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> "><b>'&amp; \u202e --> \u0000`;

describe("every format", () => {
  it.each(Object.keys(exportWriters) as (keyof typeof exportWriters)[])("%s takes each kind of fact", (format) => {
    const all = Object.values(sampleFacts);
    const text = exported(format, sessionOf([...all, ...all, asks("the end")]));
    expect(text.length).toBeGreaterThan(0);
    if (format === "atif") expect(AtifTrajectory.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it.each(Object.keys(exportWriters) as (keyof typeof exportWriters)[])("%s has no secret in it", (format) => {
    const leaking = sessionOf(
      [
        asks(`use ${SECRET}`),
        answers(`I use ${SECRET}.`, ["c1", "bash", { [SECRET]: { deep: [`curl -H ${SECRET}`] } }]),
        ends("c1", `curl ${SECRET}`, `${SECRET} was sent`),
        { ...child("k1", "completed"), output: SECRET } as Fact,
      ],
      { title: `About ${SECRET}` },
    );
    const text = exported(format, leaking);
    expect(text).toContain("[secret KEY]");
    expect(text).not.toContain(SECRET);
    expect(exported(format, { ...leaking, hide: (each) => each })).toContain(SECRET);
  });
});

describe("a secret in two parts of a message", () => {
  const [first, second] = [SECRET.slice(0, 12), SECRET.slice(12)];
  const halves = (type: "text" | "thinking") => [
    { type, text: `begin ${first}` },
    { type, text: `${second} end` },
  ];
  const queued = { promptId: "p", content: halves("text") };
  const split = sessionOf([
    { ...asks("x"), content: halves("text"), attached: halves("text") } as Fact,
    { ...answers("x"), parts: [...halves("text"), ...halves("thinking")] } as Fact,
    { sessionUpdate: "queue_update", added: [queued], removed: [] } as Fact,
  ]);
  it.each(Object.keys(exportWriters) as (keyof typeof exportWriters)[])("is in no export as %s", (format) => {
    const text = exported(format, split);
    expect(text).toContain("begin [secret KEY] end");
    expect(text).not.toContain(second);
  });
});

describe("a fact that is nested deeply", () => {
  it.each(Object.keys(exportWriters) as (keyof typeof exportWriters)[])("is exported as %s", (format) => {
    let deep: unknown = SECRET;
    for (let depth = 0; depth < 3_000; depth += 1) deep = { in: deep };
    const text = exported(format, sessionOf([asks("x"), answers("y", ["c", "bash", { deep }])]));
    expect(text).not.toContain(SECRET);
  });
});

describe("Markdown", () => {
  it("is what was said, each call in a line, and its result in a fence that it cannot end", () => {
    const source = sessionOf([
      asks("do it"),
      answers("I look.", ["c1", "bash", { command: "cat a.md" }]),
      ends("c1", "cat a.md", "```\nnot the end\n```"),
      answers("It is **done**."),
    ]);
    expect(exported("md", source)).toBe(
      [
        ...["> do it", "", "I look.", "", "- cat a.md", ""],
        ...["  ````", "  ```", "  not the end", "  ```", "  ````", "", "It is **done**.", ""],
      ].join("\n"),
    );
  });

  it("leaves out what a rewind has hidden, until a redo shows it again", () => {
    const rewind = (rewindId: string, more: object): Fact => ({
      sessionUpdate: "rewind_update",
      ...{ rewindId, kind: "rewind", turnIds: [], files: [] },
      ...more,
    });
    const talk = [
      asks("one"),
      answers("first"),
      asks("two"),
      answers("second"),
      rewind("r1", { fromSeq: 3 }),
      asks("three"),
    ];
    expect(exported("md", sessionOf(talk))).toBe("> one\n\nfirst\n\n> three\n");
    expect(exported("md", sessionOf([...talk, rewind("r2", { redoOf: "r1" })]))).toContain("> two\n\nsecond");
  });
});

describe("HTML", () => {
  it("shows markup of a log as text, in every place that a log can fill", () => {
    const markdown = [
      `# ${hostile}`,
      `> ${hostile}`,
      `1. ${hostile}\n   - *${hostile}* ~~${hostile}~~`,
      `| ${hostile} |\n| --- |\n| ${hostile} |`,
      `[${hostile}](javascript:alert(1)) [x](https://x.invalid/"onload="y) ![${hostile}](https://x.invalid/a.png "${hostile}")`,
      `<script src="https://x.invalid"></script>`,
      `\`\`\`js\n// ${hostile}\n"${hostile}"\n\`\`\``,
      `\`\`\`diff\n+${hostile}\n\`\`\``,
    ].join("\n\n");
    const source = sessionOf(
      [
        asks(hostile),
        {
          sessionUpdate: "user_message",
          messageId: "p",
          origin: "user",
          content: [
            { type: "image", mimeType: `image/png" onload="x`, data: "aGk=", name: hostile },
            { type: "image", mimeType: "image/svg+xml", data: "aGk=" },
            { type: "image", mimeType: "image/png", data: '" onerror="x' },
          ],
        },
        answers(markdown),
        answers(`${hostile}\n\`\`\`${hostile}\n${hostile}\n\`\`\`\n**${hostile}** \`${hostile}\``),
        {
          sessionUpdate: "tool_call_update",
          ...{ toolCallId: hostile, name: hostile, title: hostile, status: "completed" },
          outcome: {
            ...{ status: "error", text: "x", durationMs: 1 },
            blocks: [
              { type: "text", text: hostile },
              { type: "markdown", text: hostile },
              {
                type: "diff",
                path: hostile,
                change: "modify",
                hunks: `@@ ${hostile}\n+${hostile}\n-${hostile}`,
                added: 1,
                removed: 1,
              },
              { type: "terminal", command: hostile, output: hostile, exitCode: null, signal: hostile, durationMs: 1 },
              { type: "list", items: [{ text: hostile, detail: hostile }] },
              { type: "tree", entries: [{ path: hostile, directory: true }] },
              { type: "todo", items: [{ text: hostile, status: "completed" }] },
              { type: "table", columns: [hostile], rows: [[hostile]] },
              { type: "image", mimeType: hostile, description: hostile },
              { type: "json", value: { [hostile]: hostile } },
            ],
          },
        },
        { sessionUpdate: "notice", severity: "info", title: hostile, description: hostile },
        { ...sampleFacts.compaction_update, summary: hostile },
        { ...child("k1", "completed"), task: hostile, name: hostile, output: hostile } as Fact,
      ],
      { title: hostile, header: { ...header, cwd: hostile, sessionId: hostile } },
    );
    const page = exported("html", source);
    // There are no tags and attributes but the page's own.
    const tags = [...page.matchAll(/<\/?([a-z0-9]+)[^>]*>/gi)].map(([, name]) => name?.toLowerCase());
    const known =
      "html head meta title style body header h1 h2 p main section div details summary pre code b em s br ins del i span ul ol li blockquote table tr th td time a footer".split(
        " ",
      );
    expect([...new Set(tags)].filter((name) => !known.includes(name ?? ""))).toEqual([]);
    expect(page.match(/<[^>]*\son\w+=/gi)).toBeNull();
    expect(page).not.toMatch(/<script|[\p{Cc}\p{Bidi_Control}](?<!\n)/iu);
    expect([...page.matchAll(/<img[^>]*>/g)]).toHaveLength(0);
    expect(page.split("&lt;script&gt;").length).toBeGreaterThan(30);
  });

  it("needs no network and no scripts, folds calls, and draws a diff", () => {
    const page = exported(
      "html",
      sessionOf([
        asks("do it"),
        answers("I do.", ["c1", "edit", {}]),
        {
          ...(ends("c1", "edit a.ts", "ok") as Extract<Fact, { sessionUpdate: "tool_call_update" }>),
          name: "edit",
          outcome: {
            ...{ status: "ok", text: "ok", durationMs: 1 },
            blocks: [
              { type: "diff", path: "a.ts", change: "modify", hunks: "@@ -1 +1 @@\n-old\n+new", added: 1, removed: 1 },
            ],
          },
        },
        { by: ROOT_AGENT, update: child("k1", "running", "c1") },
        { by: "k1", update: answers("inside") },
        child("k1", "completed"),
      ]),
    );
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/https?:|<script|<link/);
    expect(page).toContain("prefers-color-scheme:dark");
    expect(page).toContain(
      '<summary><span><b>edit</b> a.ts</span><span class="end"><ins>+1</ins> <del>−1</del></span></summary>',
    );
    expect(page).toContain("<del>-old\n</del><ins>+new\n</ins>");
    expect(page).toMatch(/<details class="agent">.*\n<div id="agent-k1">[\s\S]*inside[\s\S]*<\/details>/);
    for (const tag of ["details", "section", "div", "span", "pre", "code", "main", "body", "html", "summary"])
      expect([tag, page.split(`<${tag}`).length]).toEqual([tag, page.split(`</${tag}>`).length]);
  });
});

describe("HTML of Markdown", () => {
  const bodyOf = (text: string): string => {
    const [, body = ""] =
      /<section class="reply">([\s\S]*?)<\/section>/.exec(exported("html", sessionOf([answers(text)]))) ?? [];
    return body.replace(/^<details[\s\S]*?<\/details>/, "");
  };

  it.each([
    ["## Title *x*", "<h3>Title <em>x</em></h3>"],
    ["a **b** `c<d`\ne", "<p>a <b>b</b> <code>c&lt;d</code>\ne</p>"],
    ["- [x] a\n- [ ] b", '<ul><li class="task">☑ a</li><li class="task">☐ b</li></ul>'],
    ["3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
    ["- a\n  - b", "<ul><li>a<ul><li>b</li></ul></li></ul>"],
    ["- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
    ["> a", "<blockquote><p>a</p></blockquote>"],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
    [
      "|a|b|\n|-|-:|\n|1|2|",
      '<div class="wide"><table><tr><th>a</th><th class="right">b</th></tr><tr><td>1</td><td class="right">2</td></tr></table></div>',
    ],
    ["[x](https://a.example/b?c=1&d=2)", '<p><a href="https://a.example/b?c=1&amp;d=2" rel="noreferrer">x</a></p>'],
    ["[x](file:///etc/passwd)", "<p>x</p>"],
    ["![x](https://a.example/b.png)", '<p><a href="https://a.example/b.png" rel="noreferrer">[x]</a></p>'],
    [
      "```py\nif 1: # no\n```",
      '<pre data-language="py"><code><span class="word">if</span> <span class="number">1</span>: <span class="comment"># no</span></code></pre>',
    ],
    [
      "```diff\n+a\n b\n```",
      '<pre data-language="diff" class="diff"><code><ins>+a\n</ins><span> b\n</span></code></pre>',
    ],
    ["<b>x</b> &amp; &lt;", "<p>&lt;b&gt;x&lt;/b&gt; &amp; &lt;</p>"],
  ])("%j", (text, html) => {
    expect(bodyOf(text)).toBe(html);
  });

  it("is shown as written where it is nested too deep, or too long", () => {
    expect(bodyOf(">".repeat(20_000))).toBe(`<p class="typed">${"&gt;".repeat(20_000)}</p>`);
    expect(bodyOf("_a".repeat(50_000))).toBe(`<p>${"_a".repeat(50_000)}</p>`);
    expect(bodyOf(`\`\`\`js\n${"`\\\\".repeat(50_000)}\n\`\`\``)).toContain('<span class="string">');
    expect(bodyOf("*a* ".repeat(60_000))).toContain('<p class="typed">*a* *a*');
  });
});

describe("ATIF", () => {
  const source = sessionOf([
    asks("do it"),
    answers("I look.", ["c1", "bash", { command: "ls" }], ["c2", "agent", { task: "look" }]),
    ends("c1", "ls", "a.ts"),
    child("k1", "running", "c2"),
    { by: "k1", update: { ...asks("look"), origin: "subagent" } as Fact },
    { by: "k1", update: answers("I start one too.", ["c1", "agent", {}]) },
    { by: "k1", update: child("k2", "running", "c1") },
    { by: "k2", update: answers("deep") },
    { by: "k1", update: child("k2", "completed", "c1") },
    { by: "k1", update: ends("c1", "agent", "deep") },
    child("k1", "completed", "c2"),
    ends("c2", "agent", "seen"),
    answers("Done."),
  ]);

  it("has a step for each request with its results and numbers, and subagents in it", () => {
    const trajectory = AtifTrajectory.parse(JSON.parse(exported("atif", source)));
    expect(trajectory.steps.map(({ source: by, message }) => [by, message])).toEqual([
      ["user", "do it"],
      ["agent", "I look."],
      ["agent", "Done."],
    ]);
    expect(trajectory.steps[1]).toMatchObject({
      reasoning_content: "Hm: I look.",
      tool_calls: [{ function_name: "bash", arguments: { command: "ls" } }, { function_name: "agent" }],
      observation: {
        results: [
          { source_call_id: "c1", content: "a.ts" },
          {
            source_call_id: "c2",
            content: "seen",
            subagent_trajectory_ref: [{ trajectory_id: `${header.sessionId}/k1` }],
          },
        ],
      },
      metrics: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 40, cost_usd: 0.5 },
    });
    expect(trajectory.agent).toEqual({ name: "harness", version: "1.2.3", model_name: "small-model" });
    expect(trajectory.final_metrics).toMatchObject({ total_prompt_tokens: 200, total_cost_usd: 1, total_steps: 3 });
    const [inside] = trajectory.subagent_trajectories ?? [];
    expect(inside?.steps.map(({ message }) => message)).toEqual(["look", "I start one too."]);
    expect(inside?.subagent_trajectories?.[0]?.steps[0]?.message).toBe("deep");
  });

  it("has the result of a call that ended before its reply was complete", () => {
    const early: Fact = {
      ...sampleFacts.early_call,
      call: { type: "tool_call", toolCallId: "c1", name: "bash", input: {} },
    };
    const trajectory = AtifTrajectory.parse(
      JSON.parse(
        exported("atif", sessionOf([asks("go"), early, ends("c1", "ls", "a.ts"), answers("x", ["c1", "bash", {}])])),
      ),
    );
    expect(trajectory.steps[1]?.observation?.results).toEqual([{ source_call_id: "c1", content: "a.ts" }]);
  });

  it("is valid where agents are each other's parents, times are no times, and an agent never said anything", () => {
    const odd = sessionOf([
      { by: "k2", update: child("k1", "running") },
      { by: "k1", update: child("k2", "running", "c9") },
      { by: "k1", update: child("k1", "running", "c9") },
      child("main", "running"),
      asks("x"),
    ]);
    const facts = odd.pages.read().facts.map((fact) => ({ ...fact, at: "whenever" }));
    const text = exported("atif", { ...odd, pages: memoryPages(() => facts) });
    expect(AtifTrajectory.safeParse(JSON.parse(text)).error).toBeUndefined();
  });
});

describe("JSON", () => {
  it("has the header and every fact of every agent, as the protocol has them", () => {
    const source = sessionOf([...Object.values(sampleFacts), { by: "k1", update: answers("inside") }]);
    const { session, facts, ...head } = JSON.parse(exported("json", source));
    expect(head).toEqual({ format: "harness-session", version: 1, harness: "1.2.3" });
    expect(session).toEqual({ ...header, title: "Repair" });
    expect(facts).toEqual(JSON.parse(JSON.stringify(source.pages.read({ limit: 1000 }).facts)));
  });
});
