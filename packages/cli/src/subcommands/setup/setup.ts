import { resolve } from "node:path";
import { type SetupOption, setupNotes, setupOptions, startableServers } from "@harness/client";
import { type FoundServer, wordList } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { logIn } from "../auth-login.ts";
import { pull } from "../model/model-pull.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { leftOpen, SetupPrompter } from "./setup-prompter.ts";

type Setup = SubcommandContext & { person: SetupPrompter };

/** `harness setup`, also `harness --config`: chooses the default model of sessions, and sets up what it needs. */
export const setupSubcommand: SubcommandHandler = async (visit) => {
  const person = new SetupPrompter(visit);
  try {
    await beginWithModel({ ...visit, person });
  } finally {
    person.close();
  }
  return "done";
};

async function beginWithModel(visit: Setup): Promise<void> {
  const { client, line, cwd, say, note, person } = visit;
  const url = line.value("url");
  if (url !== undefined) return useServer(visit, await detectServer(visit, url));
  const [{ providers, selected }, { localOnly = false, provider, place }] = await Promise.all([
    client.call("providers/list", {}),
    client.call("hud/get", { cwd }),
  ]);
  const from = (id: string) =>
    (id === provider && place) || `from ${providers.find((each) => each.id === id)?.name ?? id}`;
  say(selected ? `The model is ${selected.model} ${from(selected.provider)}.` : "No model is set up yet.");
  for (const each of [...setupNotes(providers), ...(await importNotes(client))]) note(each);
  const names = startableServers(providers);
  if (names !== "" && !selected) note(`Or start ${names}: harness finds it.`);
  const options = setupOptions(providers, { localOnly });
  const question = "Which model do you want to use? ↑↓ move · Enter choose · Esc cancel";
  const option = options[(await person.choose(question, options)) ?? -1];
  if (!option) throw leftOpen();
  await carryOut(visit, option);
}

/** A note on things that other programs left, as long as the person has not answered. */
async function importNotes(client: Setup["client"]): Promise<string[]> {
  const { items, answer } = await client.call("import/list", {});
  const programs = [...new Set(items.flatMap(({ program, becomes }) => (becomes === undefined ? [] : program)))];
  if (answer !== undefined || programs.length === 0) return [];
  return [`${wordList(programs, "and")} left things that harness import takes over.`];
}

async function carryOut(visit: Setup, option: SetupOption): Promise<void> {
  const { person } = visit;
  if (option.kind === "server") return chooseModel(visit, option.provider.id);
  if (option.kind === "pull") return pullModel(visit, option.provider);
  if (option.kind === "login") {
    await logIn(visit, option.provider.id);
    return use(visit, option.provider.id);
  }
  if (option.kind === "key") {
    const rows = option.vendors.map(({ name, ready }) => ({ label: name, detail: ready ? "has a key" : "" }));
    const vendor = option.vendors[(await person.choose("Whose API key?", rows)) ?? -1];
    if (!vendor) throw leftOpen();
    return keepKey(visit, vendor);
  }
  if (option.kind === "address") return useServer(visit, await typedServer(visit));
  return addFile(visit);
}

async function keepKey(visit: Setup, { id: provider, name }: { id: string; name: string }): Promise<void> {
  const { client, person, note } = visit;
  const key = await person.secret(`Key for ${name} (not shown): `);
  if (key === undefined) throw leftOpen();
  const { credential, problems } = await client.call("auth/set", { provider, key });
  for (const problem of problems) note(problem);
  if (credential.unused) note("The key is saved, but an environment variable takes precedence over it.");
  const { models, problems: ofList } = await client.call("models/list", { provider });
  if (models.length === 0 && ofList.length > 0) throw new CliError("config", ofList.join(" "));
  await use(visit, provider);
}

/** Asks again for a mistyped address. */
async function typedServer(visit: Setup): Promise<FoundServer> {
  for (;;) {
    const address = await visit.person.text("Address, such as http://192.168.1.20:8080 or localhost:4000/v1: ");
    if (address === undefined) throw leftOpen();
    try {
      return await detectServer(visit, address);
    } catch (error) {
      if (!(error instanceof CliError) || !process.stdin.isTTY) throw error;
      visit.note(error.message);
    }
  }
}

async function detectServer({ client }: Setup, address: string): Promise<FoundServer> {
  const answer = await client.call("providers/find", { address });
  if ("problem" in answer) throw new CliError("config", answer.problem);
  return answer.server;
}

async function useServer(visit: Setup, { provider, name, address, setting, models, wantsKey }: FoundServer) {
  const { client, say } = visit;
  say(`${name} answers at ${address}.`);
  if (setting !== undefined) {
    const { settings } = await client.call("settings/set", { edits: [{ key: setting, value: address }] });
    const stronger = settings.find(({ key }) => key === setting)?.overriddenBy;
    if (stronger !== undefined && visit.line.value("url") === undefined)
      throw new CliError("config", `The address is saved, but ${stronger} takes precedence. Remove that.`);
  }
  if (wantsKey) return keepKey(visit, { id: provider, name });
  if (models.length === 0) {
    const { providers } = await client.call("providers/list", {});
    return pullModel(visit, providers.find(({ id, pulls }) => id === provider && pulls) ?? { name });
  }
  return chooseModel(visit, provider, models);
}

/** Uses the only model, or lets the user choose one. */
async function chooseModel(visit: Setup, provider: string, known?: readonly string[]): Promise<void> {
  const models = known ?? (await visit.client.call("models/list", { provider })).models.map(({ model }) => model);
  const rows = models.map((label) => ({ label, detail: "" }));
  const at = rows.length === 1 ? 0 : await visit.person.choose("Which model?", rows);
  const model = models[at ?? -1];
  if (model === undefined) throw leftOpen();
  await use(visit, provider, model);
}

/** `id`: a server that downloads models. */
async function pullModel(visit: Setup, { id, name }: { id?: string; name: string }): Promise<void> {
  const model = id && (await visit.person.text(`Model that ${name} downloads, such as qwen3-coder: `));
  if (!id || !model) throw new CliError("config", `${name} has no other model yet. Nothing was changed.`);
  await use(visit, id, await pull(visit, id, model));
}

async function addFile(visit: Setup): Promise<void> {
  const { client, cwd, person, note, stopping } = visit;
  const typed = await person.text("Path of the .gguf file: ");
  if (typed === undefined) throw leftOpen();
  const path = resolve(cwd, typed);
  const add = (install: boolean) => client.call("models/add", { path, install }, { signal: stopping.signal });
  const { model, installed } = await add(false);
  if (!installed) {
    const question = "It needs node-llama-cpp, from npm (about 120 MB). Install it?";
    const answers = [
      { label: "Yes", detail: "this can take some minutes" },
      { label: "No", detail: "" },
    ];
    if ((await person.choose(question, answers)) !== 0)
      throw new CliError("config", `${model.model} was added, but needs its runtime before it can be used.`);
    note("Installing…");
    await add(true);
  }
  await use(visit, model.provider, model.model);
}

/** Stores the model for future sessions; without a name the provider's own first choice. */
async function use({ client, cwd, say }: Setup, provider: string, named?: string): Promise<void> {
  const config = { provider, ...(named === undefined ? {} : { model: named }) };
  const { model = named, problem, place = `from ${provider}` } = await client.call("hud/get", { cwd, config });
  if (model === undefined) throw new CliError("config", problem ?? `${provider} has no model.`);
  const edits = [
    { key: "model", value: model },
    { key: "provider", value: provider },
  ];
  await client.call("settings/set", { edits });
  say(`The model is ${model} ${place}. Start with: harness`);
}
