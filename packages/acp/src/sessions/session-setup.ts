import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { NewSessionRequest } from "@agentclientprotocol/sdk/unstable";
import type { SessionTerms } from "@harness/client";
import { invalidParams } from "../peer/request-failure.ts";

type Setup = Pick<NewSessionRequest, "cwd" | "additionalDirectories" | "mcpServers" | "systemPrompt">;

/** The terms of a session as a client asks for it. */
export async function readTerms({ cwd, additionalDirectories = [] }: Setup): Promise<SessionTerms> {
  return {
    cwd: await realFolder("cwd", cwd),
    additionalDirectories: await Promise.all(
      additionalDirectories.map((folder) => realFolder("additionalDirectories", folder)),
    ),
  };
}

/** Sessions are found by folders without links in their paths. */
async function realFolder(field: string, folder: string): Promise<string> {
  if (!isAbsolute(folder)) throw invalidParams(`${field}: ${folder} is not an absolute path.`);
  return await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "does not exist" : `cannot be opened (${error.code})`;
    throw invalidParams(`${field}: ${folder} ${why}.`);
  });
}
