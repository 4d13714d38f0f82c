// Runs that go on with a Markdown session whose files were edited by hand since.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  const scenario = { name: "an edited session", turns: [turns.say("The port is 80.", { repeat: "always" })] };
  server = await startModelServer({ scenario });
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const EDITED = "1 message was edited";
const notes = (stderr: string) => stderr.split("\n").filter((line) => line.includes("edited"));

async function begin(): Promise<{ folder: string; id: string; edit(name: string, from: string, to: string): void }> {
  place?.remove();
  place = new TestHome(server.environment);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "settings.json"), JSON.stringify({ session_format: "markdown" }));
  await place.run(["run", "Which port?"]);
  const [id = ""] = readdirSync(join(place.home, "sessions")).filter((name) => !name.startsWith("."));
  const folder = join(place.home, "sessions", id);
  const edit = (name: string, from: string, to: string) => {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };
  return { folder, id, edit };
}

describe("a run that goes on with an edited session", () => {
  it("says once what it has taken in", async () => {
    const { edit } = await begin();
    edit("messages/0002-assistant.md", "is 80", "is 8080");
    const first = await place.run(["run", "-c", "Go on."]);
    expect(notes(first.stderr)).toEqual([expect.stringContaining(EDITED)]);
    expect(first.stdout).toBe("The port is 80.\n");
    expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("The port is 8080.");
    const second = await place.run(["run", "-c", "Go on."]);
    expect(notes(second.stderr)).toEqual([]);
  });

  it("says so in its lines, and in no answer", async () => {
    const { edit, id } = await begin();
    edit("messages/0002-assistant.md", "is 80", "is 8080");
    const { stdout } = await place.run(["run", "-r", id, "--output-format", "stream-json", "Go on."]);
    const told = linesOf(stdout).filter((line) => JSON.stringify(line).includes(EDITED));
    expect(told).toMatchObject([{ type: "update", update: { sessionUpdate: "rewind_update" } }]);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", result: "The port is 80." });
  });

  it("says which model session.conf names now, unless a flag names one", async () => {
    const { edit, folder } = await begin();
    const model = /^model=(.*)$/m.exec(readFileSync(join(folder, "session.conf"), "utf8"))?.[1] ?? "";
    edit("session.conf", `model=${model}`, "model=other");
    const { stderr } = await place.run(["run", "-c", "Go on."]);
    expect(notes(stderr)).toEqual([expect.stringContaining("The model is now other: session.conf was edited.")]);
    expect(server.chatRequests.at(-1)?.body).toMatchObject({ model: "other" });
    edit("session.conf", "model=other", "model=third");
    await place.run(["run", "-c", "-m", model, "Go on."]);
    expect(server.chatRequests.at(-1)?.body).toMatchObject({ model });
  });

  it("says so in a fork, too", async () => {
    const { edit, id } = await begin();
    edit("messages/0002-assistant.md", "is 80", "is 8080");
    const { stderr } = await place.run(["run", "-r", id, "--fork", "Go on."]);
    expect(notes(stderr)).toEqual([expect.stringContaining(EDITED)]);
  });
});
