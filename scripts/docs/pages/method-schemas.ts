import {
  clientMethods,
  clientNotifications,
  type NotificationRow,
  type RequestRow,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { schemaOf } from "./schema-fields.ts";

export type MethodRow = RequestRow | NotificationRow;

export const schemaFile = (method: string): string => `${method.replaceAll("/", ".")}.json`;

/** The schema files of all methods, by their paths from the repository's root. */
export function methodSchemas(): Map<string, string> {
  const files = new Map<string, string>();
  const methods: Record<string, MethodRow> = {
    ...serverMethods,
    ...serverNotifications,
    ...clientMethods,
    ...clientNotifications,
  };
  for (const [name, row] of Object.entries(methods)) {
    const { doc } = row;
    const result =
      row.type === "request"
        ? {
            waitsBehind: row.lane === "free" ? "nothing" : row.lane,
            repeatable: row.idempotent,
            result: schemaOf(row.result),
          }
        : {};
    files.set(
      `docs/schema/${schemaFile(name)}`,
      `${JSON.stringify({ method: name, doc, params: schemaOf(row.params), ...result }, null, 2)}\n`,
    );
  }
  return files;
}
