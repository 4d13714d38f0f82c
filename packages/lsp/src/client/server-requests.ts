import { isRecord } from "@harness/host";
import type { MessageConnection } from "vscode-jsonrpc";
import type { ServerRow } from "../rows/server-row.ts";

type RequestHost = {
  readonly row: ServerRow;
  readonly folder: { readonly uri: string; readonly name: string };
  /** It has registered, or unregistered, a method. */
  onRegistered(method: string, id: string): void;
  onUnregistered(id: string): void;
  /** It asked for something that it does not get. */
  onRefused(words: string): void;
  /** It says that what it found may be out of date. */
  onRefresh(): void;
};

/** Items of a list in a request that are read at most. */
const MAX_ITEMS = 200;

/** Answers the requests of servers; all others get the error "method not found". */
export function answerRequests(connection: MessageConnection, host: RequestHost): void {
  const { row, folder } = host;
  const answers: Readonly<Record<string, (params: unknown) => unknown>> = {
    "workspace/configuration": (params) => listIn(params, "items").map((item) => sectionOf(row.settings, item)),
    "workspace/workspaceFolders": () => [folder],
    "client/registerCapability": (params) => {
      for (const { id, method } of registrations(params, "registrations")) host.onRegistered(method, id);
      return null;
    },
    "client/unregisterCapability": (params) => {
      for (const { id } of registrations(params, "unregisterations")) host.onUnregistered(id);
      return null;
    },
    "window/workDoneProgress/create": () => null,
    "window/showMessageRequest": () => null,
    "window/showDocument": () => {
      host.onRefused("asked to open a document or a browser, which it may not");
      return { success: false };
    },
    "workspace/applyEdit": () => {
      host.onRefused("asked to change files, which it may not");
      return { applied: false, failureReason: "Only the agent changes files here." };
    },
    "workspace/diagnostic/refresh": () => {
      host.onRefresh();
      return null;
    },
    "workspace/semanticTokens/refresh": () => null,
    "workspace/inlayHint/refresh": () => null,
    "workspace/codeLens/refresh": () => null,
    ...Object.fromEntries(Object.entries(row.answers ?? {}).map(([method, answer]) => [method, () => answer])),
  };
  for (const [method, answer] of Object.entries(answers)) connection.onRequest(method, answer);
}

function sectionOf(settings: ServerRow["settings"], item: unknown): unknown {
  const section = isRecord(item) && typeof item.section === "string" ? item.section : "";
  if (settings && Object.hasOwn(settings, section)) return settings[section];
  let value: unknown = settings;
  for (const name of section.split(".")) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : null;
  return value ?? null;
}

function registrations(params: unknown, key: string): { id: string; method: string }[] {
  return listIn(params, key).flatMap((each) => {
    if (!isRecord(each) || typeof each.id !== "string" || typeof each.method !== "string") return [];
    return [{ id: each.id, method: each.method }];
  });
}

function listIn(params: unknown, key: string): unknown[] {
  const list = isRecord(params) ? params[key] : undefined;
  return Array.isArray(list) ? list.slice(0, MAX_ITEMS) : [];
}
