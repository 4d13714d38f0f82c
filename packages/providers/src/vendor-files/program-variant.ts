import type { Vendor } from "../wires/endpoint/vendor.ts";

/** A `.conf` file whose `protocol` is the name of a provider program. */
export type ProgramVariant = { id: string; program: string; values: ReadonlyMap<string, string>; file: string };

/**
 * The row for such a file: the program under a new name, with address, limit and key in variables that begin with the
 * program's name (`ACME_API_URL`, `ACME_MAX_TOKENS`, `ACME_API_KEY`).
 */
export function variantVendor({ id, program: name, values, file }: ProgramVariant, program: Vendor): Vendor {
  const prefix = name.toUpperCase().replace(/[^A-Z0-9]/g, "_");
  const [url, maxTokens, authEnv] = ["url", "max_tokens", "auth_env"].map((key) => values.get(key));
  const model = values.get("model") ?? program.defaultModel;
  const { programEnv = [], maxOutputTokens, defaultModel: _model, aliases: _aliases, ...rest } = program;
  const limit = maxTokens === undefined ? maxOutputTokens : Number(maxTokens);
  return {
    ...rest,
    id,
    name: values.get("description") ?? id,
    file,
    models: `Name one with \`--model\`, or as model= in ${file}.`,
    programEnv: [...programEnv, ...(authEnv === undefined ? [] : [authEnv])],
    programGiven: {
      values: {
        ...(url !== undefined && { [`${prefix}_API_URL`]: url }),
        ...(maxTokens !== undefined && { [`${prefix}_MAX_TOKENS`]: maxTokens }),
      },
      ...(authEnv !== undefined && { keyAs: `${prefix}_API_KEY` }),
    },
    ...(authEnv !== undefined && { keyEnv: authEnv }),
    ...(model !== undefined && { defaultModel: model }),
    ...(limit !== undefined && { maxOutputTokens: limit }),
  };
}
