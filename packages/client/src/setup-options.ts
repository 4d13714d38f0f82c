import type { ProviderView } from "@harness/protocol";
import { wordList } from "@harness/protocol/text";

/** A way to get a model, for a list that the user chooses from. */
export type SetupOption = { readonly label: string; readonly detail: string } & (
  | { readonly kind: "server"; readonly provider: ProviderView }
  | { readonly kind: "pull"; readonly provider: ProviderView }
  | { readonly kind: "key"; readonly vendors: readonly ProviderView[] }
  | { readonly kind: "login"; readonly provider: ProviderView }
  | { readonly kind: "address" | "file" }
);

const NAMED = 3;

/**
 * Options for a user without a model, from the server's view of its providers: found servers first. Hosted providers
 * and downloads are omitted if harness must stay local (`localOnly`).
 */
export function setupOptions(providers: readonly ProviderView[], { localOnly }: { localOnly: boolean }): SetupOption[] {
  const servers = providers.filter(({ local, ready, id }) => local && ready && id !== "gguf");
  const pulling = localOnly ? [] : providers.filter(({ pulls }) => pulls);
  const hosted = localOnly ? [] : providers.filter(({ local }) => !local);
  const vendors = hosted.filter(({ keyEnv, login }) => keyEnv !== undefined && login !== true);
  return [
    ...servers.map((provider) => ({
      ...{ kind: "server" as const, provider },
      ...{ label: `Use ${provider.name}`, detail: provider.detail },
    })),
    ...pulling.map((provider) => ({
      ...{ kind: "pull" as const, provider },
      ...{ label: `Pull with ${provider.name}`, detail: "downloads a model, such as qwen3-coder" },
    })),
    ...(vendors.length > 0
      ? [{ kind: "key" as const, vendors, label: "Enter an API key", detail: namesOf(vendors) }]
      : []),
    ...hosted
      .filter(({ login, ready }) => login === true && !ready)
      .map((provider) => ({
        ...{ kind: "login" as const, provider },
        ...{ label: `Log in with ${provider.name}`, detail: "a subscription, in the browser" },
      })),
    {
      kind: "address",
      label: "Address of a server",
      detail: "Ollama, llama.cpp, vLLM, LM Studio, or OpenAI's API",
    },
    { kind: "file", label: "Model file (.gguf)", detail: "harness runs it itself" },
  ];
}

/** Problems of running local servers, as sentences. */
export function setupNotes(providers: readonly ProviderView[]): string[] {
  return providers.flatMap(({ local, ready, running, name, detail }) => {
    if (!local || ready || !running) return [];
    return detail.startsWith(`${name} `) ? [detail] : [`${name} ${detail.slice(0, 1).toLowerCase()}${detail.slice(1)}`];
  });
}

/** Local servers that the user could start instead; harness notices it. */
export function startableServers(providers: readonly ProviderView[]): string {
  const names = providers
    .filter(({ local, running, id }) => local && !running && id !== "gguf")
    .map(({ name }) => name);
  return wordList(names, "or");
}

function namesOf(vendors: readonly ProviderView[]): string {
  const names = vendors.slice(0, NAMED).map(({ name }) => name);
  const more = vendors.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : wordList(names, "and");
}
