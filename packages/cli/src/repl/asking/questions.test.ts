import type { Permission } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { permissionAnswer } from "./questions.ts";

const permission = {
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "session", name: "Allow for this session", kind: "allow_session" },
    { optionId: "always", name: "Always allow", kind: "allow_always" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
} as unknown as Permission;

describe("a line at a permission request", () => {
  it.each([
    ["y", "once"],
    [" S ", "session"],
    ["r", "always"],
    ["n", "no"],
    ["stop", "no"],
    ["w not there", "no"],
  ])("%j is an answer", (line, optionId) => {
    expect(permissionAnswer(permission, line)?.outcome).toMatchObject({ optionId });
  });

  it.each(
    "yes|yes, but run the tests first|y but wait|stop, not that|s o|should this be in src?|rather use make|r|no|n no|no, 1|1|2 things|x|w|y\ny|n\nfirst|"
      .split("|")
      .filter((line) => line !== "r"),
  )("%j is none", (line) => {
    expect(permissionAnswer(permission, line)).toBeUndefined();
  });
});
