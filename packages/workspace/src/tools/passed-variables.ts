import { type NamedVariables, namedVariables } from "@harness/host";
import type { LoadedSettings } from "@harness/storage";
import type { FolderSettings } from "../settings/folder-settings.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The variables that `pass_env` names for commands, from the real environment, because a project's `.env` is not passed
 * to them. Only the user's own setting passes agent sockets and the like: a project, trusted or not, names variables of
 * its build.
 */
export function passedVariables({ values, views }: Pick<LoadedSettings, "values" | "views">, env: Env): NamedVariables {
  const source = views.find(({ key }) => key === "pass_env")?.source;
  return namedVariables(values.pass_env, env, { places: source !== "project" });
}

/** The ineffective part of the setting, as a title and a sentence; undefined: all of it is effective. */
function passEnvWarning(settings: Pick<LoadedSettings, "values" | "views">, env: Env): [string, string] | undefined {
  const { refused, unmatched } = passedVariables(settings, env);
  const sentences = [
    ...(refused.length > 0
      ? [
          `${refused.join(", ")}: ${refused.length === 1 ? "it looks like a secret" : "they look like secrets"}, which commands never get.`,
        ]
      : []),
    ...(unmatched.length > 0 ? [`${unmatched.join(", ")}: no such variable is set.`] : []),
  ];
  return sentences.length > 0 ? ["Not everything in pass_env is passed on.", sentences.join(" ")] : undefined;
}

/** Warns each session once about the parts of its environment that deviate from its settings. */
export class EnvironmentWarnings {
  readonly #env: Env;
  readonly #told = new WeakMap<object, string>();

  constructor(env: Env) {
    this.#env = env;
  }

  tell(session: { warn(title: string, description: string): void }, settings: Pick<FolderSettings, "current">): void {
    const [title, description] = passEnvWarning(settings.current, this.#env) ?? [];
    if (title === undefined || description === undefined || this.#told.get(session) === description) return;
    this.#told.set(session, description);
    session.warn(title, description);
  }
}
