// The models of local servers in line mode: one is downloaded, one is loaded.
import { type Flavour, type ModelServer, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer | undefined;
let place: TestHome | undefined;
afterEach(async () => {
  place?.remove();
  await server?.close();
});

async function printed(flavour: Flavour, scenario: ScenarioInput, lines: readonly string[]): Promise<string> {
  server = await startModelServer({
    flavour,
    scenario: { turns: [turns.say("Here.", { repeat: "always" })], ...scenario },
  });
  place = new TestHome({ ...server.environment, HARNESS_PROVIDER: "", HARNESS_MODEL: "" });
  const { stdout } = await place.run(["repl"], { stdin: `${lines.join("\n")}\n` });
  return stdout;
}

const requests = (path: string) => server?.requests.filter((each) => each.path === path) ?? [];
const ollama: ScenarioInput = { models: [{ id: "tiny:1b" }], library: [{ id: "coder:latest" }] };

it("/model offers to download a model that the running Ollama lacks, shows how far it is, and uses it", async () => {
  const stdout = await printed("ollama", ollama, ["/model coder", "y", "hi"]);
  expect(stdout).toContain('has no model "coder". It has: tiny:1b.');
  expect(stdout).toContain("Download coder with ollama? (y/n)> y\n");
  expect(stdout).toContain("coder: 50% of 4.7 GB\n");
  expect(stdout).toContain("The model is now ollama/coder:latest.\n");
  expect(stdout).toContain("Here.");
  expect(server?.chatRequests.map(({ body }) => (body as { model: string }).model)).toEqual(["coder:latest"]);
});

it.each([
  ["no", ["/model coder", "n", "/model"]],
  ["nothing", ["/model coder", "", "/model"]],
])("/model downloads nothing where the answer is %s, and lists how to", async (_, lines) => {
  const stdout = await printed("ollama", ollama, lines);
  expect(stdout).toContain("Nothing was downloaded.\n");
  expect(stdout).toContain("ollama/tiny:1b\n/model NAME lets Ollama download a model that it does not have.\n");
  expect(requests("/api/pull")).toEqual([]);
});

it("/model says what the server said where it cannot download", async () => {
  const stdout = await printed("ollama", ollama, ["/model nosuch", "y"]);
  expect(stdout).toContain("pull model manifest: file does not exist");
  expect(stdout).not.toContain("The model is now");
});

it("/model has a model loaded that LM Studio has not in its memory, or says why not", async () => {
  const models = [
    { id: "coder", loaded: false },
    { id: "big", loaded: false, load: { error: "no memory" } },
  ];
  const stdout = await printed("lmstudio", { models }, ["/model coder", "/model lmstudio/big"]);
  expect(stdout).toContain("lmstudio is loading coder; Ctrl+C stops waiting.\nThe model is now lmstudio/coder.\n");
  expect(stdout).toContain('It says: "no memory"');
  expect(stdout).not.toContain("The model is now lmstudio/big");
  expect(requests("/api/v1/models/load")).toHaveLength(2);
});
