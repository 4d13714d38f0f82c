import type { RebuiltRequest, ToolSpec } from "@harness/core";
import type { MessageMarks } from "../recording/message-marks.ts";
import { shortFields } from "../recording/request-recorder.ts";
import { differingLines } from "./differing-lines.ts";
import type { StoredRequest } from "./recorded-requests.ts";

/** A part of a request that would be different now. */
export type PartDifference = { where: string; what: string; recorded?: string; now?: string };

/** The first part that differs; undefined: the loop would send the same. */
export function differingPart(
  { request: then, marks }: StoredRequest,
  { request: now, textAt }: RebuiltRequest,
  known: MessageMarks,
): PartDifference | undefined {
  if (then.model !== now.model) {
    return { where: "model", what: "Another model would be asked.", recorded: then.model, now: now.model };
  }
  if (then.system !== now.system) {
    const lines = differingLines(then.system, now.system);
    const part = textAt(lines.offset);
    const where = part === undefined ? "system" : `system, ${part}`;
    return { where, what: "The system text differs.", recorded: lines.recorded, now: lines.now };
  }
  return differingTool(then.tools, now.tools) ?? differingMessage(marks, now.messages, known);
}

function differingTool(then: readonly ToolSpec[], now: readonly ToolSpec[]): PartDifference | undefined {
  const byName = new Map(now.map((spec) => [spec.name, spec]));
  for (const spec of then) {
    const other = byName.get(spec.name);
    const where = `tools.${spec.name}`;
    if (!other) return { where, what: `The tool ${spec.name} is not offered any more.` };
    if (spec.description !== other.description) {
      const lines = differingLines(spec.description, other.description);
      return {
        where,
        what: `The tool ${spec.name} is described in other words.`,
        recorded: lines.recorded,
        now: lines.now,
      };
    }
    const [before, after] = [spec, other].map(({ inputSchema }) => JSON.stringify(inputSchema, undefined, 1));
    if (before === after) continue;
    const lines = differingLines(before ?? "", after ?? "");
    return { where, what: `The tool ${spec.name} takes other arguments.`, recorded: lines.recorded, now: lines.now };
  }
  const names = new Set(then.map(({ name }) => name));
  const added = now.find(({ name }) => !names.has(name));
  if (added) return { where: `tools.${added.name}`, what: `The tool ${added.name} was not offered then.` };
  const order = [then, now].map((specs) => specs.map(({ name }) => name).join(", "));
  if (order[0] === order[1]) return undefined;
  return { where: "tools", what: "The tools are in another order.", recorded: order[0] ?? "", now: order[1] ?? "" };
}

function differingMessage(
  then: readonly string[],
  messages: RebuiltRequest["request"]["messages"],
  known: MessageMarks,
): PartDifference | undefined {
  const now = known.of(messages);
  const at = now.findIndex((mark, index) => mark !== then[index]);
  if (at < 0 && now.length === then.length) return undefined;
  const index = at < 0 ? now.length : at;
  const where = `messages[${index}]`;
  const message = messages[index];
  if (!message) return { where, what: `There were ${then.length} messages then, and ${now.length} are left.` };
  const text = JSON.stringify(message).slice(0, 400).toWellFormed();
  if (index >= then.length) return { where, what: "This message was not sent then.", now: text };
  return { where, what: "This message is another one: hooks have changed it, then or now.", now: text };
}

/** The field of a body that would be different now; undefined: all short ones are the same. */
export function differingField(
  then: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): PartDifference | undefined {
  const now = shortFields(fields);
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    const [before, after] = [then[name], now[name]].map((value) => JSON.stringify(value));
    if (before === after) continue;
    const what = "The provider's settings give the request another field.";
    return {
      ...{ where: `body.${name}`, what },
      ...(before === undefined ? {} : { recorded: before }),
      ...(after === undefined ? {} : { now: after }),
    };
  }
  return undefined;
}
