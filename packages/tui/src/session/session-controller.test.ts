import { type Hud, protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { settled, summaryOf, testWindow } from "../../test/scripted-server.ts";

const started = async (...args: Parameters<typeof testWindow>) => {
  const window = testWindow(...args);
  window.controller.start();
  await settled();
  return window;
};

const notesOf = (window: Awaited<ReturnType<typeof started>>) =>
  JSON.stringify(window.store.get().notes.map(({ text }) => text));

describe("sending", () => {
  it("makes the session with the first message, with everything the command line asked for", async () => {
    const window = await started({
      config: { model: "m", permissionMode: "deny" },
      rules: { allow: ["read"], deny: [] },
      additionalDirectories: ["/more"],
      maxTurns: 3,
      customInstructions: "be brief",
    });
    expect(window.server.paramsOf("session/new")).toEqual([]);
    window.send("hello\r");
    window.send("again\r");
    await settled();
    expect(window.server.paramsOf("session/new")).toMatchObject([
      {
        cwd: "/work",
        config: { model: "m", permissionMode: "deny" },
        rules: { allow: ["read"], deny: [] },
        additionalDirectories: ["/more"],
        limits: { maxTurns: 3 },
        customInstructions: "be brief",
      },
    ]);
    expect(window.server.paramsOf("session/prompt").map(({ prompt }) => prompt)).toEqual([
      [{ type: "text", text: "hello" }],
      [{ type: "text", text: "again" }],
    ]);
    expect(window.store.get()).toMatchObject({ screen: "chat", outgoing: [] });
  });

  it.each([
    ["steer", ["steer", "steer", "queue"]],
    ["queue", ["queue", "queue", "steer"]],
  ])("goes to a running turn with Enter and Tab as `enter_while_running: %s` says", async (value, deliveries) => {
    const window = testWindow();
    window.server.answers["settings/get"] = () => ({
      settings: [{ key: "enter_while_running", value }],
      path: "",
      version: "1",
      problems: [],
    });
    window.controller.start();
    await settled();
    window.send("one\r");
    await settled();
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
    window.send("two\r");
    window.send("three");
    window.send("\t");
    await settled();
    expect(window.server.paramsOf("session/prompt").map(({ delivery }) => delivery)).toEqual(deliveries);
  });

  it("stays in the input at Tab while the agent rests", async () => {
    const window = await started();
    window.send("one\t");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
    expect(window.store.get().composer.buffer.text).toBe("one");
  });

  it("sends a long paste whole, however short it looks", async () => {
    const window = await started();
    const text = Array.from({ length: 120 }, (_, at) => `line ${at} $&`).join("\n");
    window.send(`see \u001b[200~${text}\u001b[201~`);
    expect(window.store.get().composer.buffer.text).toBe("see [pasted 120 lines]");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")[0]?.prompt).toEqual([{ type: "text", text: `see ${text}` }]);
  });

  it("gives the text back when the server refuses it", async () => {
    const window = await started();
    window.server.answers["session/prompt"] = () => {
      throw new Error("The prompt is too long.");
    };
    window.send("hello\r");
    await settled();
    expect(window.store.get().composer.buffer.text).toBe("hello");
    expect(window.store.get().outgoing).toEqual([]);
    expect(window.store.get().notes.at(-1)?.text).toBe("Not sent: The prompt is too long.");
  });
});

describe("opening", () => {
  it("shows facts that arrive before the answer, and Up brings the person's messages back", async () => {
    const window = testWindow({ open: { how: "id", id: "2026" } });
    window.server.answers["session/resume"] = (_, server) => {
      const content = [{ type: "text" as const, text: "earlier words" }];
      server.update("s7", 1, { sessionUpdate: "user_message", messageId: "m1", content, origin: "user" });
      return { session: summaryOf("s7"), config: {}, seq: 1 };
    };
    window.controller.start();
    await settled();
    const { session, screen } = window.store.get();
    expect(screen).toBe("chat");
    expect(session).toMatchObject({ sessionId: "s7", seq: 1 });
    window.send("\u001b[A");
    expect(window.store.get().composer.buffer.text).toBe("earlier words");
  });

  it("says why a session cannot be opened, stays Home, and sends its message nowhere else", async () => {
    const window = testWindow({ open: { how: "id", id: "nope" }, prompt: "go on" });
    window.server.answers["session/resume"] = () => {
      throw new Error("There is no session nope.");
    };
    window.controller.start();
    await settled();
    expect(window.store.get().screen).toBe("home");
    expect(window.store.get().notes[0]?.text).toContain("There is no session nope.");
    expect(window.server.paramsOf("session/new")).toEqual([]);
    expect(window.store.get().composer.buffer.text).toBe("go on");
  });

  it("opens the newest of the folder, and sends what was given with it", async () => {
    const window = testWindow({ open: { how: "newest" }, prompt: "go on" });
    window.server.answers["session/list"] = () => ({ sessions: [summaryOf("s5")] });
    window.controller.start();
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ sessionId: "s5", prompt: [{ text: "go on" }] }]);
  });

  it("asks before a session whose folder is gone goes on in this one", async () => {
    const window = await started();
    const { server } = window;
    server.answers["session/resume"] = ({ sessionId, cwd }) => {
      if (cwd === undefined)
        throw protocolError("folder_gone", "Its folder is gone.", { sessionId: "s7", cwd: "/old" });
      return { session: summaryOf(String(sessionId)), config: {}, seq: 0 };
    };
    window.send("/resume s7\r");
    await settled();
    expect(window.store.get().session).toBeUndefined();
    expect(notesOf(window)).toContain("Its folder is gone. To go on with it in /work, open it again: /resume s7");
    window.send("/resume s7\r");
    await settled();
    expect(window.store.get().session?.sessionId).toBe("s7");
    expect(server.paramsOf("session/resume").at(-1)).toMatchObject({ sessionId: "s7", cwd: "/work" });
  });

  it("forgets what it asked once the session is open, from History too", async () => {
    const window = await started();
    const { server } = window;
    server.answers["session/list"] = () => ({ sessions: [summaryOf("s7")] });
    server.answers["session/resume"] = ({ sessionId, cwd }) => {
      if (cwd === undefined)
        throw protocolError("folder_gone", "Its folder is gone.", { sessionId: "s7", cwd: "/old" });
      return { session: summaryOf(String(sessionId)), config: {}, seq: 0 };
    };
    window.send("/resume\r");
    await settled();
    window.send("\r");
    await settled();
    expect(notesOf(window)).toContain("Its folder is gone. To go on with it in /work, open it again: /resume s7");
    window.send("\r");
    await settled();
    expect(window.store.get().session?.sessionId).toBe("s7");
    expect(notesOf(window)).not.toContain("Its folder is gone.");
  });

  it("opens the one whose folder was moved here, and offers one of the same repository", async () => {
    for (const same of ["folder", "repository"]) {
      const window = testWindow({ open: { how: "newest" } });
      const session = summaryOf("s5", { cwd: "/old" });
      window.server.answers["session/moved"] = () => ({ sessions: [{ session, same }] });
      window.controller.start();
      await settled();
      const opened = window.server.paramsOf("session/resume");
      expect(opened).toHaveLength(same === "folder" ? 1 : 0);
      if (same === "repository") expect(notesOf(window)).toContain("To go on with it here: /resume s5");
    }
  });

  it("leaves a working session subscribed until its turn has ended", async () => {
    const window = await started();
    window.send("hello\r");
    await settled();
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
    window.send("/new\r");
    await settled();
    expect(window.store.get().session).toBeUndefined();
    expect(window.server.paramsOf("session/detach")).toEqual([]);
    window.server.update("s1", 2, { sessionUpdate: "state_update", state: "idle" });
    await settled();
    expect(window.server.paramsOf("session/detach")).toEqual([{ sessionId: "s1" }]);
  });
});

describe("the session in view", () => {
  it("stays in view and followed when it is opened again by its title", async () => {
    const window = await started();
    window.send("hello\r");
    await settled();
    window.server.answers["session/resume"] = (_, server) => {
      server.update("s1", 1, { sessionUpdate: "session_info_update", title: "mine" });
      return { session: summaryOf("s1"), config: {}, seq: 1 };
    };
    window.send("/resume mine\r");
    await settled();
    expect(window.store.get().session).toMatchObject({ sessionId: "s1", title: "mine" });
    expect(window.server.paramsOf("session/detach")).toEqual([]);
    window.server.update("s1", 2, { sessionUpdate: "session_info_update", title: "yours" });
    expect(window.store.get()).toMatchObject({ title: "yours", session: { seq: 2 } });
  });

  it("is not replaced by one that was begun before, which goes on and can ask", async () => {
    const window = await started();
    const answer = Promise.withResolvers<object>();
    window.server.answers["session/new"] = () => answer.promise;
    window.send("hello\r");
    await settled();
    window.send("/new\r");
    answer.resolve({ session: summaryOf("s1"), config: {}, seq: 0 });
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ sessionId: "s1" }]);
    expect(window.store.get().session).toBeUndefined();
    expect(notesOf(window)).toContain("The turn of session s1 goes on");
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "idle" });
    await settled();
    expect(window.server.paramsOf("session/detach")).toEqual([{ sessionId: "s1" }]);
  });
});

describe("updates", () => {
  it("fetches what is missing after a gap", async () => {
    const window = await started();
    window.send("hello\r");
    await settled();
    window.server.update("s1", 3, { sessionUpdate: "session_info_update", title: "late" });
    await settled();
    expect(window.server.paramsOf("session/resume")).toMatchObject([
      { sessionId: "s1", replay: { type: "after", seq: 0 } },
    ]);
  });

  it("shows a fact that could not be stored and still takes the next one", async () => {
    const window = await started();
    window.send("hello\r");
    await settled();
    window.server.update("s1", undefined, { sessionUpdate: "notice", severity: "error", title: "The disk is full." });
    window.server.update("s1", 1, { sessionUpdate: "session_info_update", title: "named" });
    const { session } = window.store.get();
    expect(session?.agents.get("main")?.items).toMatchObject([{ kind: "notice", title: "The disk is full." }]);
    expect(session).toMatchObject({ seq: 1, title: "named" });
  });
});

describe("a problem of the person's status row", () => {
  const numbers = { permissionMode: "default", agentsRunning: 0, queued: 0 } as const;
  const failing = { ...numbers, statusLine: { problem: "It ended with exit code 3." } };

  it("is said once, whichever way it comes, and again once the row was there in between", async () => {
    const window = testWindow();
    window.server.answers["hud/get"] = () => failing;
    window.controller.start();
    window.send("hello\r");
    await settled();
    const said = () => window.store.get().notes.filter(({ text }) => text === failing.statusLine.problem).length;
    const send = (hud: Hud) => window.server.listeners?.notices["hud/update"]?.({ sessionId: "s1", hud });
    expect(said()).toBe(1);
    window.store.dispatch({ type: "notesCleared" });
    send(failing);
    send(numbers);
    send({ ...failing, queued: 1 });
    expect(said()).toBe(0);
    send({ ...numbers, statusLine: { text: "mine" } });
    send(failing);
    expect(said()).toBe(1);
  });

  it("sends a file outside the folder after a second Enter on the same text", async () => {
    const window = await started();
    window.server.answers["session/prompt"] = ({ allowOutside }: { allowOutside?: boolean }) => {
      if (allowOutside) return { promptId: "p", disposition: "started" };
      const message = "~/a.txt is outside the workspace.";
      throw protocolError("invalid_params", message, { issues: [{ path: "allowOutside", message }] });
    };
    window.send("see @~/a.txt\r");
    await settled();
    expect(window.store.get().notes.at(-1)?.text).toBe(
      "Not sent yet: ~/a.txt is outside the workspace. Enter again sends it.",
    );
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt").map(({ allowOutside }) => allowOutside)).toEqual([undefined, true]);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });
});
