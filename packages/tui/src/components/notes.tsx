import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { sanitise } from "../text/index.ts";
import type { Role } from "../theme.ts";
import { Themed } from "./themed.tsx";

const roles: Record<"info" | "warning" | "error", Role> = { info: "info", warning: "warning", error: "error" };

/** What the window has to say: the server's state, and what went wrong with a key or a command. */
export const Notes = memo(function Notes({ link, notes }: Pick<ChromeView, "link" | "notes">) {
  return (
    <Box flexDirection="column" paddingX={1}>
      {link.text && link.status !== "ready" ? (
        <Themed tone={link.status === "failed" ? "error" : "warning"} wrap="wrap">
          {sanitise(link.text)}
        </Themed>
      ) : null}
      {notes.map(({ severity, text }) => (
        <Themed key={text} tone={roles[severity]} wrap="wrap">
          {sanitise(text)}
        </Themed>
      ))}
    </Box>
  );
});
