import type { ModelRequest, RefusedFor } from "@harness/core";
import type { Content } from "@harness/protocol";
import { call, calling, MemoryLog, MemorySession, memoryTools, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const picture = (name?: string): Content => ({
  ...{ type: "image", mimeType: "image/png", data: "aGk=" },
  ...(name === undefined ? {} : { name }),
});
const words = (text: string): Content => ({ type: "text", text });
const NOTE = "[An image is left out here: the model's server did not accept it.]";

function refusing(refusedFor?: RefusedFor): ScriptedEvent[] {
  const failure = { kind: "badRequest" as const, message: "Could not process image" };
  return [{ type: "failed", failure, ...(refusedFor ? { refusedFor } : {}) }];
}

const picturesOf = ({ messages }: ModelRequest) => JSON.stringify(messages).split('"type":"image"').length - 1;
/** A server that accepts no images, and may or may not say so. */
const blind = (refusedFor?: RefusedFor) => (request: ModelRequest) =>
  picturesOf(request) > 0 ? refusing(refusedFor) : saying("ok");

function tools() {
  return memoryTools().map((tool) =>
    tool.name === "read"
      ? {
          ...tool,
          run: async () => ({ status: "ok" as const, text: "a picture", blocks: [], images: [picture()] }),
        }
      : tool,
  );
}

async function prompt(memory: MemorySession, id: string, ...content: Content[]): Promise<void> {
  memory.session.prompt(id, content, "start");
  await memory.session.idle();
}

const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);
const lastSent = (memory: MemorySession) => JSON.stringify(memory.provider.requests.at(-1)?.messages);

describe("pictures that a server refuses", () => {
  it.each(["picture", "unclear"] as const)("are left out of the message, for good (%s)", async (refusedFor) => {
    const log = new MemoryLog();
    const memory = new MemorySession({ script: blind(refusedFor), log });
    await prompt(memory, "p", words("look"), picture("shot.png"), words("please"));
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.provider.requests.map(picturesOf)).toEqual([1, 0]);
    expect(memory.facts("context_update")).toMatchObject([
      {
        reason: "refused",
        title: "An image is left out from now on, because the model's server did not accept it: shot.png.",
      },
    ]);
    await prompt(memory, "q", words("go on"));
    expect(memory.provider.requests).toHaveLength(3);
    expect(lastSent(memory)).toContain(`"look"},{"type":"text","text":"${NOTE}"},{"type":"text","text":"please"`);
    expect(memory.states.live).toEqual(memory.states.folded);
    const later = new MemorySession({ script: blind(refusedFor), log });
    await prompt(later, "r", words("and now"));
    expect(later.provider.requests.map(picturesOf)).toEqual([0]);
  });

  it("are left out of a result, whose call is named", async () => {
    const script = (request: ModelRequest, n: number) =>
      n === 0 ? calling(call("a", "read", { file_path: "shot.png" })) : blind("picture")(request);
    const memory = new MemorySession({ script, tools: tools() });
    await memory.say("look at shot.png");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.facts("context_update")).toMatchObject([{ title: expect.stringContaining("shot.png") }]);
    expect(lastSent(memory)).toContain(`"text":"a picture\\n${NOTE}"`);
  });

  it("of the last messages go first, and older ones where they are meant", async () => {
    const log = new MemoryLog();
    await prompt(new MemorySession({ script: () => saying("ok"), log }), "p", picture("old.png"));
    const newest = new MemorySession({
      script: (request) => (picturesOf(request) > 1 ? refusing("picture") : saying("ok")),
      log,
    });
    await prompt(newest, "q", picture("new.png"));
    expect(newest.provider.requests.map(picturesOf)).toEqual([2, 1]);
    const another = new MemorySession({ script: blind("picture"), log });
    await prompt(another, "r", picture("newer.png"));
    expect(another.provider.requests.map(picturesOf)).toEqual([2, 1, 0]);
    expect(endOf(another)).toMatchObject({ stopReason: "end_turn" });
    const titles = another.facts("context_update").map(({ title }) => title);
    expect(titles.at(-1)).toContain("2 images are left out");
    expect(titles.at(-1)).toContain("old.png, newer.png");
  });

  it("stay where the request is refused without them as well, for reasons that nobody knows", async () => {
    const memory = new MemorySession({ script: () => refusing("unclear") });
    await prompt(memory, "p", picture("shot.png"));
    expect(memory.provider.requests.map(picturesOf)).toEqual([1, 0]);
    expect(memory.facts("context_update")).toEqual([]);
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { message: "Could not process image" } });
  });

  it("that were answered once are not suspected of a later refusal without a reason", async () => {
    const memory = new MemorySession({
      script: (_request, n) => (n === 0 ? saying("ok") : refusing("unclear")),
    });
    await prompt(memory, "p", picture("shot.png"));
    await prompt(memory, "q", words("go on"));
    expect(memory.provider.requests.map(picturesOf)).toEqual([1, 1]);
    expect(memory.facts("context_update")).toEqual([]);
  });

  it("are asked about once: other failures are not refusals, and nothing is sent again", async () => {
    const memory = new MemorySession({ script: () => refusing() });
    await prompt(memory, "p", picture("shot.png"));
    expect(memory.provider.requests).toHaveLength(1);
  });
});
