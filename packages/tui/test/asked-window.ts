// For tests: a window in Chat with an open question.
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { settled, type TestWindow, testWindow } from "./scripted-server.ts";

const everyOption: Permission["options"] = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "turn", name: "Allow for this turn", kind: "allow_turn", covers: "changes of files" },
  { optionId: "session", name: "Allow for this session", kind: "allow_session", covers: "npm test" },
  { optionId: "always", name: "Always allow", kind: "allow_always", covers: "bash(npm test)" },
  { optionId: "no", name: "Deny", kind: "reject_once" },
  { optionId: "never", name: "Always deny", kind: "reject_always", covers: "bash(npm test)" },
];

export const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "call-1",
  tool: "bash",
  title: "bash npm test",
  reason: "runs a command",
  risk: "medium",
  effects: [{ kind: "run", command: "npm test", cwd: "/work" }],
  preview: [{ type: "terminal", command: "npm test", output: "", exitCode: null, durationMs: 0 }],
  options: everyOption,
};

export const review: Permission = {
  ...permission,
  tool: "edit",
  title: "review",
  effects: [],
  preview: [],
  options: everyOption.filter(({ kind }) => kind === "allow_once" || kind === "reject_once"),
  review: ["1", "2"].map((hunkId) => ({
    hunkId,
    path: `/work/${hunkId}.txt`,
    change: "modify",
    line: 1,
    before: "a\n",
    after: "b\n",
  })),
};

export const question = {
  sessionId: "s1",
  elicitationId: "e1",
  agentId: "main",
  message: "Which one?",
  options: [
    { optionId: "a", name: "The first" },
    { optionId: "b", name: "The second" },
  ],
  freeText: false,
};

export type AnsweredRequest = { value: unknown };

/** A window in Chat whose session is idle. `settings`: those of the server. */
export async function chatWindow({ settings = [] as unknown[] } = {}): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["settings/get"] = () => ({ settings, path: "", version: "1", problems: [] });
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  window.clock.advance(5000);
  return window;
}

export function ask({ server }: TestWindow, asked: Permission | typeof question): AnsweredRequest {
  const answered: AnsweredRequest = { value: undefined };
  const signal = new AbortController().signal;
  const answer: Promise<unknown> | undefined =
    "permissionId" in asked
      ? server.listeners?.onPermission({ sessionId: "s1", permission: asked }, signal)
      : server.listeners?.onQuestion(asked, signal);
  void answer?.then((value) => {
    answered.value = value;
  });
  return answered;
}

export const selected = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });
