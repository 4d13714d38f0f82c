// Executables of sources that are tools: real programs, good and bad ones.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SourceInventory } from "../sources/source-inventory.ts";
import { ExecutableTools } from "./executable-tools.ts";
import { ToolSchemas } from "./tool-schemas.ts";

let root: string;
let home: string;
let project: string;
let said: string[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tools ")));
  home = join(root, "home");
  project = join(home, "project");
  mkdirSync(project, { recursive: true });
  said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const text = (name: string) => JSON.stringify({ name, description: `The ${name}.` });
const printing = (json: string) => `#!/bin/sh\necho asked >> "$0.asked"\ncat <<'END'\n${json}\nEND\n`;

function tool(path: string, script = printing(text(path.split("/").at(-1) ?? "")), mode = 0o755): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, script);
  chmodSync(file, mode);
  return file;
}

/** A new server that knows only what is on disk. */
function open({ patienceMs = 60_000 } = {}) {
  const sources = new SourceInventory({
    chosenProvider: undefined,
    places: { configFolder: join(home, ".config/harness"), home },
    stamps: new FileStamps(),
    trust: { standing: () => "", isTrusted: () => true, leadsOut: () => false, hasLapsed: () => false },
  });
  const schemas = new ToolSchemas({
    folder: join(root, "cache"),
    environment: () => ({ PATH: process.env.PATH ?? "" }),
    onStderr: (path, words) => said.push(`${path}: ${words}`),
  });
  const tools = new ExecutableTools({ sources, schemas, reserved: ["question"], patienceMs });
  return async () => {
    sources.forgetMoment();
    await tools.prepare(project);
    return tools.at(project);
  };
}
const asked = (file: string) =>
  existsSync(`${file}.asked`) ? readFileSync(`${file}.asked`, "utf8").split("\n").length - 1 : 0;

describe("the executables of a folder", () => {
  it("hold a request for a moment only: one that is slow joins a later request", async () => {
    const slow = tool(
      ".harness/tools/slow",
      `#!/bin/sh\nuntil [ -e '${root}/go' ]; do sleep 0.02; done\necho '${text("slow")}'\n`,
    );
    tool(".harness/tools/news");
    const look = open({ patienceMs: 20 });
    const names = async () => (await look()).tools.map(({ name }) => name);
    expect((await look()).unused.map(({ problem }) => problem)).toContain(
      `${slow} is not a tool yet: it takes long to describe itself, and joins a later request.`,
    );
    await expect.poll(names, { timeout: 60_000 }).toEqual(["news"]);
    writeFileSync(join(root, "go"), "");
    await expect.poll(names, { timeout: 60_000 }).toEqual(["news", "slow"]);
    expect((await look()).unused.map(({ problem }) => problem).join()).not.toContain("not a tool yet");
  });

  it("are asked what they are, and the most local one of a name counts", async () => {
    const own = tool(".harness/tools/weather");
    const local = tool("project/.harness/tools/weather");
    tool(".harness/tools/news");
    const { tools, unused } = await open()();
    expect(tools.map(({ name, path, shadows }) => [name, path, shadows])).toEqual([
      ["news", join(home, ".harness/tools/news"), []],
      ["weather", local, [own]],
    ]);
    expect(unused).toEqual([]);
    expect([asked(own), asked(local)]).toEqual([0, 1]);
  });

  it("are asked once for each content, also by the next session", async () => {
    const file = tool(".harness/tools/weather");
    const look = open();
    await look();
    const first = await look();
    expect(first.tools).toHaveLength(1);
    await open()();
    expect(asked(file)).toBe(1);
    tool(".harness/tools/weather", printing(JSON.stringify({ description: "Another one." })));
    expect((await look()).tools[0]).toMatchObject({ description: "Another one." });
    expect(asked(file)).toBe(2);
    tool(".harness/tools/weather");
    expect((await look()).tools[0]).toMatchObject({ description: "The weather.", hash: first.tools[0]?.hash });
    expect(asked(file)).toBe(2);
  });

  it("keep what they write to stderr for the log", async () => {
    const file = tool(".harness/tools/weather", `${printing(text("weather"))}echo careful >&2\n`);
    expect((await open()()).tools).toHaveLength(1);
    expect(said).toEqual([`${file}: careful\n`]);
  });

  it("that cannot be tools are named, each with a sentence, and the others work", async () => {
    const bad: [string, string, number?][] = [
      ["no-json", "#!/bin/sh\necho hello\n"],
      ["silent", "#!/bin/sh\n"],
      ["fails", "#!/bin/sh\necho 'no curl' >&2\nexit 3\n"],
      ["dies", "#!/bin/sh\nkill -9 $$\n"],
      ["endless", "#!/bin/sh\nexec yes\n"],
      ["no-run-bit", printing("{}"), 0o644],
      ["windows", "#!/bin/sh\r\necho {}\r\n"],
      ["no-such", "#!/no/such/interpreter\n"],
      ["question", printing(text("question"))],
      ["a b", printing("{}")],
      ["Twin", printing(text("Twin"))],
      ["twin", printing(text("twin"))],
    ];
    for (const [name, script, mode] of bad) tool(`.harness/tools/${name}`, script, mode);
    tool(".harness/tools/weather");
    const { tools, unused } = await open()();
    expect(tools.map(({ name }) => name)).toEqual(["Twin", "weather"]);
    const sentences = unused.map(({ problem }) => problem.replaceAll(`${home}/.harness/tools/`, "")).sort();
    expect(sentences).toEqual([
      "a b is not used as a tool: a tool's name has up to 64 letters, digits, - and _, and begins with a letter.",
      "dies is not used as a tool: it was killed by SIGKILL (it was stopped by force, often because memory ran out).",
      "endless is not used as a tool: it printed more than 200 kB.",
      "fails is not used as a tool: it ended with exit code 3: no curl.",
      'no-json is not used as a tool: its --schema did not print a JSON object, but "hello".',
      "no-run-bit is not used: it is not executable. Run chmod +x no-run-bit",
      "no-such is not used as a tool: the interpreter in its first line does not exist: #!/no/such/interpreter.",
      "question is not used as a tool: the session itself has a tool with this name.",
      "silent is not used as a tool: its --schema did not print a JSON object, but nothing.",
      "twin is not used: it has the same name as Twin, or one that differs only in case. Rename one of them.",
      "windows is not used as a tool: its first line ends in a Windows line break, which becomes part of the interpreter's name; save it with Unix line breaks.",
    ]);
  });
});
