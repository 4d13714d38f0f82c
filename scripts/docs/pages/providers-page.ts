import { efforts } from "@harness/protocol";
import { KNOWN_MODELS_DATE, knownModels, sentEffort, type Vendor, vendors } from "@harness/providers";
import record from "../contracts.json" with { type: "json" };
import { generated, table } from "./markdown-table.ts";

const apis: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "chat completions",
  "openai-responses": "responses",
  anthropic: "Anthropic messages",
  ollama: "Ollama",
};

/** The constraint that each format can put on a reply; chat completions have several, or none. */
const schemas: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "",
  "openai-responses": "`text.format`",
  anthropic: "`output_config.format`",
  ollama: "`format`",
};

const thinking: Readonly<Record<Vendor["api"], string>> = {
  "openai-chat": "",
  "openai-responses": "`reasoning.effort`",
  anthropic: "`thinking`",
  ollama: "`think`",
};

const code = (text: string): string => `\`${text}\``;

function apiOf({ api, apiElsewhere }: Vendor): string {
  return apiElsewhere ? `${apis[api]}; ${apis[apiElsewhere]} at other addresses` : apis[api];
}

function accessOf({ keyEnv, otherKeyEnvs = [], local, login }: Vendor): string {
  const names = [keyEnv, ...otherKeyEnvs].map(code).join(" or ");
  if (login) return `a login, or a token in ${names}`;
  return local ? `${names} (only if the server asks for one)` : names;
}

function thinkingOf({ api, quirks }: Vendor): string {
  if (api !== "openai-chat") return thinking[api];
  return quirks.effort ? code(quirks.effort) : "as the model does";
}

function schemaOf({ api, quirks }: Vendor): string {
  if (api !== "openai-chat") return schemas[api];
  return quirks.schema ? code(quirks.schema) : "no";
}

function windowOf({ local, catalogue }: Vendor): string {
  if (local) return "the server";
  return catalogue === "none" ? "the table" : "its list where it was asked for, else the table";
}

function priceOf({ id, local, login, listsPrices }: Vendor): string {
  if (local) return "free";
  if (login) return "unknown (subscription)";
  if (listsPrices) return "from its list";
  const priced = knownModels.filter(({ by, price }) => by === id && price !== undefined).length;
  return priced === 0 ? "unknown, unless `models.json` says" : `table (${priced} rows)`;
}

function addresses(): string {
  return table(
    ["provider", "what", "API", "where it answers", "variable for the address", "key or login", "default model"],
    vendors.map((vendor) => [
      [vendor.id, ...(vendor.aliases ?? [])].map(code).join(", "),
      `${vendor.name}${vendor.local ? " (local)" : ""}`,
      apiOf(vendor),
      vendor.baseUrl,
      [vendor.baseUrlEnv, ...(vendor.otherBaseUrlEnvs ?? [])].map(code).join(" or "),
      accessOf(vendor),
      vendor.defaultModel ? code(vendor.defaultModel) : "the first that the server lists",
    ]),
  );
}

function features(): string {
  return table(
    [
      "provider",
      "streaming, tools, images",
      "several calls at once",
      "how thinking is asked for",
      "replies held to a schema",
      "window from",
      "price",
    ],
    vendors.map((vendor) => [
      code(vendor.id),
      "yes, where the model can",
      vendor.quirks.parallelToolCalls ? "yes, asked for" : "yes",
      thinkingOf(vendor),
      schemaOf(vendor),
      windowOf(vendor),
      priceOf(vendor),
    ]),
  );
}

/** The value sent for each level, in the field that the table above names. */
function levels(): string {
  const wanted = efforts.filter((effort) => effort !== "none");
  return table(
    ["provider", ...wanted.map(code)],
    vendors.flatMap((vendor) => {
      const row = (api: Vendor["api"], where: string) => [
        `${code(vendor.id)}${where}`,
        ...wanted.map((effort) => sentEffort({ vendor, api }, effort)),
      ];
      const { api, apiElsewhere } = vendor;
      return apiElsewhere ? [row(api, ""), row(apiElsewhere, " at other addresses")] : [row(api, "")];
    }),
  );
}

export function providersPage(): string {
  return `# Providers

${generated}${addresses()}

**Which model is used.** \`--provider\` and \`--model\`, else \`HARNESS_PROVIDER\` and \`HARNESS_MODEL\`, else the settings, else the first provider that is ready: one with
a key or a login, or a local server that answers. All are checked in parallel. A port that refuses is skipped at once; a server that accepts is waited for up to
three seconds, or five at an address you set. \`--model VENDOR/MODEL\` names both; \`sonnet\`, \`opus\`, \`gpt\` and \`gemini\` are short for models of the table.

**Keys** come from the environment, your own \`.env\` (\`~/.config/harness/.env\`, then \`~/.env\`), \`harness auth set\`, or a project's \`.env\` once you [trust](trust.md) it
([keys and logins](auth.md)). Your own \`.env\` files may set every variable. From a project's, harness takes only keys, each for its vendor's usual address; it
ignores the other variables named here and \`HARNESS_…\`, and a warning names them.

Once you trust a project, providers in its \`.harness/providers/\` are used too, and come before yours.

## What each can do

${features()}

The same contract tests run for every provider and API of this table (${Object.keys(record).length} pairs), against a scripted server that behaves like the vendor's: streaming,
thinking, several calls, images, cut and odd streams, retries, refusals, cancelling. \`scripts/docs/contracts.json\` has the last results.

## How much a model thinks

\`effort\` (\`--effort\`) has the levels of all vendors, from \`none\` to \`max\`; empty leaves it to the model. A vendor without a level gets the nearest one it has.
\`none\` (or \`off\`) turns thinking off. If a server refuses the field, it is left out from then on.

${levels()}

Older Claude models, and other servers with Anthropic's API, get a budget of tokens instead, from 1,024 (\`minimal\`) to 23,000 (\`xhigh\`, \`max\`). \`openai\` and
\`chatgpt\` do not return the thinking itself; \`reasoning_summary\` says how detailed its summary is.

## What a server does not take

Some servers and chat templates refuse a conversation or a tool that others take. harness reads the refusal, and sends the request once more in
the form that was asked for. It remembers that form for the model at its address until harness ends.

- **Conversations** (chat completions): two messages of one role in a row are joined, system text goes into the first message, empty or missing
  content is filled, ids of calls get nine characters, arguments are sent as objects, and thoughts are left out or sent back.
- **Tools**: schemas are sent as those of one object, without references to nothing. A tool that the server refuses all the same is left out, and
  named once in the session. If the refusal does not say which one it was, the tools of MCP servers and plugins are tried by halves, so that more
  than one may be missing until the next requests.

## Time limits and retries

A request that failed for a temporary reason (no connection, silence, too many requests, a server error) is sent again up to \`max_retries\` times within five
minutes, after growing pauses or the pause the server asks for. A silent server is given up after ten minutes on your machine or network, and after one or two
elsewhere; \`request_timeout_secs\` changes all of these. \`ollama_max_retries\` and \`ollama_timeout_secs\` are for Ollama alone. Changes take effect with the next
request.

### Fallback models

If all of these attempts fail, the models of \`fallback_models\` are asked in their order, such as \`["qwen3:8b", "openrouter/openai/gpt-5"]\`; on the command line
\`HARNESS_FALLBACK_MODELS\`. The one that answers takes over for the rest of the message, and a notice names it; your next message goes to your own model again. A
model of another provider gets the whole conversation. None takes over where the request itself is refused: a wrong key, a model that does not exist, a conversation that is
too long.

## Models

A table of ${KNOWN_MODELS_DATE} has context windows, limits and prices (dollars per million tokens) of ${knownModels.length} well-known models; what a server
reports wins over it. A price that is not certain is shown as unknown, never as 0, and a price applies only at the maker's own address. In
\`~/.config/harness/models.json\` you can add models or correct single fields:

\`\`\`json
{
  "models": [
    {
      "match": "my-model",
      "provider": "vllm",
      "windowTokens": 32768,
      "outputTokens": 8192,
      "price": { "input": 0.5, "output": 1.5, "cacheRead": 0.05, "cacheWrite": 0.6 },
      "abilities": { "tools": true, "images": false, "thinking": true },
      "aliases": ["mine"]
    }
  ]
}
\`\`\`

Only \`match\` is required: the beginning of the name, without the maker's prefix. The longest match wins.

## A provider in five lines

A \`.conf\` file in \`~/.config/harness/providers\` or \`~/.harness/providers\` is a provider, named after the file:

\`\`\`
protocol=openai
description=Our own server
model=qwen3-coder
url=https://llm.example/v1
auth_env=OUR_LLM_KEY
\`\`\`

- \`protocol\`: \`openai\` (chat completions), \`responses\`, \`anthropic\` or \`ollama\`; or the name of a [program of your own](plugins.md#providers), which then
  answers under this name too: with \`protocol=acme\` it gets \`ACME_API_URL\` (\`url\`), \`ACME_API_KEY\` (of \`auth_env\` or \`harness auth set\`) and \`ACME_MAX_TOKENS\`
- \`url\`: the base or the complete address
- \`auth_env\`: the variable with the key. Without it no key is sent; with it the provider is not ready until the variable is set, or a key is saved with \`harness auth set\`
- \`max_tokens\`: limits replies
- \`stream\`: \`no\` for a server that breaks streams: replies come in one piece, as with the setting \`stream_replies\`
- \`#\` begins a comment

A file replaces a built-in provider of the same name, and keeps its own \`model\` when harness chooses it. In a project such files need
[trust](trust.md), because their author decides where requests go, and the variable of \`auth_env\` is sent only once you
[granted](plugins.md#secrets-for-a-projects-provider) it.

A [program of your own](plugins.md#providers) can be a provider, too; \`examples/plugins/providers\` has one of about thirty lines.
`;
}
