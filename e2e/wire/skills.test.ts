// Skills in the format of agentskills.io: a real server over stdio, a scripted model over HTTP.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { UpdateOf } from "@harness/protocol";
import { type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { answerOf, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Body = { messages: { role: string; content: string }[]; tools?: { function: { name: string } }[] };
const bodies = () => live.model.chatRequests.map(({ body }) => body as Body);
const system = () => bodies().at(-1)?.messages[0]?.content ?? "";
const said = (role: string) =>
  bodies()
    .at(-1)
    ?.messages.findLast((each) => each.role === role)?.content ?? "";
const toolNames = () =>
  bodies()
    .at(-1)
    ?.tools?.map(({ function: { name } }) => name) ?? [];
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const skill = (folder: string, name: string, more = "", body = `Do ${name}.`) =>
  put(join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: Helps with ${name}.\n${more}---\n${body}\n`);

async function start(script: TurnInput[], contextWindow = 100_000) {
  live = await LiveServer.start({ turns: [...script, turns.say("ok", { repeat: "always" })] });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  const asked: string[] = [];
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission.title);
    const option = permission.options.find(({ kind }) => kind === "allow_once");
    return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
  });
  await client.call("settings/set", { edits: [{ key: "context_limit", value: contextWindow }] });
  const begin = async () => (await client.call("session/new", { cwd: live.cwd })).session.sessionId;
  return { client, asked, begin };
}

async function session(script: TurnInput[] = [], contextWindow = 100_000) {
  const { client, asked, begin } = await start(script, contextWindow);
  let sessionId = "";
  let count = 0;
  const inTurn = async (work: () => Promise<unknown>) => {
    sessionId ||= await begin();
    const { seq } = await client.call("session/get", { sessionId });
    await work();
    await live.idle(seq);
  };
  const prompt = (text: string) =>
    inTurn(() => {
      count += 1;
      return client.call("session/prompt", { sessionId, promptId: `p${count}`, prompt: say(text) });
    });
  const command = async (name: string, args = "") => {
    sessionId ||= await begin();
    return answerOf(client.call("command/run", { sessionId, name, args }));
  };
  const turn = (name: string, args = "") => inTurn(() => client.call("command/run", { sessionId, name, args }));
  const reopen = async () => {
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
  };
  return { client, asked, prompt, command, turn, reopen };
}

const changes = () =>
  live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "skill_update" ? [update as UpdateOf<"skill_update">] : [],
  );

describe("skills", () => {
  it("cost nothing where there are none", async () => {
    const { prompt } = await session();
    await prompt("hi");
    expect(system()).not.toContain("kill");
    expect(toolNames()).not.toContain("skill");
  });

  it("are listed for the model from every folder that programs keep them in, and loaded with their files", async () => {
    const { prompt, asked } = await session([
      turns.call("Skill", { skill: "PDF" }),
      turns.call("read", { file_path: "REFERENCE" }),
      turns.say("done"),
    ]);
    for (const [name, folder] of Object.entries({
      alpha: ".config/tinyharness/skills",
      beta: ".tinyharness/skills",
      gamma: ".agents/skills",
      pdf: ".claude/skills",
      delta: ".harness/skills",
    }))
      skill(join(live.home, folder), name);
    const folder = join(live.home, ".claude/skills/pdf");
    put(join(folder, "references/forms.md"), "Forms.");
    chmodSync(put(join(folder, "scripts/fill.py"), "print(1)"), 0o755);
    await prompt("fill the form");
    expect(system()).toContain(
      "- alpha: Helps with alpha.\n- beta: Helps with beta.\n- delta: Helps with delta.\n- gamma: Helps with gamma.\n- pdf: Helps with pdf.",
    );
    expect(bodies()[1]?.messages.at(-1)?.content).toBe(
      `Skill pdf. Its folder, in which relative paths start: ${folder}\nFiles of the skill: scripts/fill.py, references/forms.md\n\nDo pdf.`,
    );
    expect(changes()).toMatchObject([{ skill: { name: "pdf" }, state: "active", by: "model" }]);
    expect(asked.filter((title) => title.includes("skill"))).toEqual([]);
  });

  it("have their folder and arguments filled in when a model loads them", async () => {
    const body =
      "Run $" + "{CLAUDE_SKILL_DIR}/scripts/fill.py $1 for $ARGUMENTS, or $CLAUDE_SKILL_DIR/a.\n!`rm -rf x` stays.";
    const { prompt } = await session([
      turns.call("skill", { name: "pdf", args: "foo bar" }),
      turns.call("skill", { name: "plain", args: "foo" }),
      turns.call("skill", { name: "pdf" }),
      turns.say("done"),
    ]);
    const folder = join(live.home, ".claude/skills/pdf");
    skill(join(live.home, ".claude/skills"), "pdf", "", body);
    skill(join(live.home, ".claude/skills"), "plain");
    await prompt("go");
    const told = (at: number) => bodies()[at]?.messages.at(-1)?.content;
    expect(told(1)).toMatch(`Run ${folder}/scripts/fill.py foo for foo bar, or ${folder}/a.\n!\`rm -rf x\` stays.`);
    expect(told(2)).toMatch(/Do plain\.\n\nArguments: foo$/);
    expect(told(3)).toMatch(`Run ${folder}/scripts/fill.py $1 for , or ${folder}/a.`);
    expect(changes()[0]?.skill.text).toContain("foo bar");
  });

  it("have their folder read without a question and not written, and their scripts asked about as any command", async () => {
    const pdf = "../home/.claude/skills/pdf";
    const { prompt, asked } = await session([
      turns.call("read", { file_path: `${pdf}/references/forms.md` }),
      turns.call("bash", { command: `cat ${pdf}/references/forms.md` }),
      turns.call("read", { file_path: "../home/.claude/other.md" }),
      turns.call("write", { file_path: `${pdf}/scripts/mine.sh`, content: "Mine." }),
      turns.call("bash", { command: `${pdf}/scripts/fill.sh` }),
      turns.say("done"),
    ]);
    const folder = join(live.home, ".claude/skills/pdf");
    skill(join(live.home, ".claude/skills"), "pdf");
    put(join(folder, "references/forms.md"), "The forms.");
    chmodSync(put(join(folder, "scripts/fill.sh"), "#!/bin/sh\necho filled\n"), 0o755);
    put(join(live.home, ".claude/other.md"), "Not a skill.");
    await prompt("go");
    expect(asked).toEqual([
      expect.stringMatching(/^read .*other\.md/),
      expect.stringMatching(/^write .*mine\.sh/),
      expect.stringMatching(/^bash .*fill\.sh/),
    ]);
    expect(said("tool")).toContain("filled");
  });

  it("of a project count once it is trusted, and before those of the person", async () => {
    const { prompt, command, client } = await session();
    skill(join(live.home, ".claude/skills"), "ship", "", "Ship it my way.");
    const theirs = skill(join(live.cwd, ".agents/skills"), "Ship", "", "Ship it their way.");
    expect(await command("skills")).toContain(`${theirs} is not used: its folder is not trusted.`);
    await prompt("hi");
    expect(system()).toContain("- ship: Helps with ship.");
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
    expect(await command("skill", "SHIP")).toMatch(/Replaces: .*ship[\s\S]*Ship it their way\./);
  });

  it("are used by people with what they are to do, and shown as typed", async () => {
    const { turn, command } = await session();
    skill(join(live.home, ".claude/skills"), "pdf", "", "Fill $ARGUMENTS with !`echo care`.");
    await turn("use", "pdf form.pdf");
    expect(said("user")).toContain("Fill form.pdf with care.");
    expect(changes()).toMatchObject([{ skill: { name: "pdf" }, state: "active", by: "person" }]);
    expect(await command("skills")).toMatch(/^→ pdf: Helps with pdf\./);
    await turn("pdf", "other.pdf");
    expect(said("user")).toContain("Fill other.pdf with care.");
    expect(await command("use", "nothing")).toContain('There is no skill "nothing". There are: pdf.');
  });

  it("go with the next message when they are used alone, once, and are taken back with a note", async () => {
    const { prompt, command, reopen } = await session();
    skill(join(live.home, ".claude/skills"), "style", "", "Write short sentences.");
    await prompt("hello");
    expect(await command("use", "style")).toContain("The skill style is in use");
    await prompt("write");
    expect(said("user")).toContain("Write short sentences.");
    const before = JSON.stringify(bodies().at(-1)?.messages).slice(0, -1);
    await reopen();
    await prompt("more");
    const after = JSON.stringify(bodies().at(-1)?.messages);
    expect(after.startsWith(before)).toBe(true);
    expect(after.split("Write short sentences.").length).toBe(2);
    expect(await command("unload", "STYLE")).toBe("The skill style is no longer in use.");
    await prompt("and now");
    expect(said("user")).toContain("[The skill style is no longer in use: do not follow it any more.]");
    expect(await command("unload", "style")).toBe("No skill is in use.");
  });

  it("stay after a compaction, in the system text, and a rewind takes back what came after", async () => {
    const { prompt, command, turn } = await session();
    skill(join(live.home, ".claude/skills"), "style", "", "Write short sentences.");
    await turn("style");
    for (const text of ["one", "two", "three", "four", "five", "six", "seven"]) await prompt(text);
    expect(await command("compact")).toMatch(/^Compacted from about/);
    await prompt("go on");
    expect(system()).toContain("Write short sentences.");
    expect(JSON.stringify(bodies().at(-1)?.messages.slice(1))).not.toContain("Write short sentences.");
    await command("rewind", "1 conversation");
    expect(await command("unload", "style")).toBe("No skill is in use.");
  });

  it("are in the system text where they are in use before the first message, and no longer once they are unloaded", async () => {
    const { prompt, command } = await session();
    skill(join(live.home, ".claude/skills"), "style", "", "Write short sentences.");
    await command("skill", "use style");
    await prompt("write");
    expect(system()).toMatch(/- style: Helps with style\.\n\nSkill style\. .*\n\nWrite short sentences\.$/s);
    await command("unload", "style");
    await prompt("and now");
    expect(system()).not.toContain("Write short sentences.");
  });

  it("say who may use them", async () => {
    const { prompt, command, client } = await session([turns.call("skill", { name: "mine" }), turns.say("no")]);
    skill(join(live.home, ".claude/skills"), "mine", "disable-model-invocation: true\n");
    skill(join(live.home, ".claude/skills"), "theirs", "user-invocable: false\n");
    await prompt("hi");
    expect(system()).toContain("- theirs:");
    expect(system()).not.toContain("mine");
    expect(said("tool")).toContain("The skill mine is for the person alone");
    const { commands } = await client.call("commands/list", { cwd: live.cwd });
    const names = commands.filter(({ origin }) => origin?.kind === "skill").map(({ name }) => name);
    expect(names).toEqual(["mine"]);
    expect(await command("skill", "theirs")).toContain("Used by: the agent");
  });

  it("are only named in a small context window, and counted where they do not fit", async () => {
    const { prompt } = await session([], 8_192);
    for (let n = 10; n < 60; n += 1) skill(join(live.home, ".claude/skills"), `skill-number-${n}`);
    await prompt("hi");
    const [line = ""] = system().match(/Skills \(`skill` loads one, or lists what they are for\):.*/) ?? [];
    expect(line.length).toBeLessThanOrEqual(328);
    expect(line).toMatch(/skill-number-10, .*, and \d+ more, which it lists$/);
    expect(system()).not.toContain("Helps with");
  });
});
