import { Themed } from "./themed.tsx";

export function LeaveHint() {
  return <Themed tone="warning"> Press Ctrl+C again to leave.</Themed>;
}
