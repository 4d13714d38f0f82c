import { errorJson } from "../flavours/error-dialect.ts";
import type { HttpExchange } from "../http/exchange.ts";
import { asObject, textValue } from "../story/conversation.ts";
import type { LibraryModel } from "../story/scenario.ts";
import type { ServerState } from "../wires/wire.ts";

const LINES = { "content-type": "application/x-ndjson" };

/**
 * Ollama's docs/api.md, "Pull a Model": one line per step, the sizes of the layer being downloaded, and errors as a
 * last line.
 */
export async function answerPull({ served }: ServerState, exchange: HttpExchange): Promise<void> {
  const asked = asObject(exchange.record.body);
  const id = textValue(asked.model) || textValue(asked.name);
  if (id === "") {
    const body = errorJson("string", 400, { message: "invalid model name" });
    return exchange.answer(400, { "content-type": "application/json" }, body);
  }
  const say = async (line: object) => exchange.write(Buffer.from(`${JSON.stringify(line)}\n`));
  exchange.start(200, LINES);
  await say({ status: "pulling manifest" });
  const found = served.inLibrary(id);
  if (!found) await say({ error: "pull model manifest: file does not exist" });
  else if (await arrives(found, exchange, say)) {
    served.add(found);
    await say({ status: "success" });
  }
  exchange.end();
}

/** Returns false if the model did not arrive completely. */
async function arrives({ layers, pull }: LibraryModel, exchange: HttpExchange, say: (line: object) => Promise<void>) {
  for (const [at, total] of layers.entries()) {
    const name = String(at + 1).padStart(12, "0");
    const layer = { status: `pulling ${name}`, digest: `sha256:${name}`, total };
    await say(layer);
    await say({ ...layer, completed: Math.floor(total / 2) });
    if (at === 0 && pull?.hangs) await exchange.hang();
    if (exchange.gone) return false;
    if (at === 0 && pull?.cut) {
      await exchange.cut("close");
      return false;
    }
    if (at === 0 && pull?.error !== undefined) {
      await say({ error: pull.error });
      return false;
    }
    await say({ ...layer, completed: total });
  }
  await say({ status: "verifying sha256 digest" });
  await say({ status: "writing manifest" });
  return true;
}
