import { LEAVE_TEXT } from "./hud-row.ts";
import { Themed } from "./themed.tsx";

export function LeaveHint() {
  return <Themed tone="warning">{` ${LEAVE_TEXT}`}</Themed>;
}
