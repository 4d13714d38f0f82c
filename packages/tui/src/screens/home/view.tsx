import { useMemo } from "react";
import { aboveInput } from "../../composer/above-input.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { keptForHeight, PaintedRows, Rows } from "../../widgets/rows.tsx";
import { useTimeOfDay, useView } from "../../widgets/use-window.ts";
import { homeRows } from "./home-rows.ts";

export function HomeView() {
  const view = useView();
  const nowMs = useTimeOfDay();
  const above = useMemo(() => aboveInput(view), [view]);
  const rowsOf = useMemo(() => keptForHeight((height) => homeRows(view, { height, nowMs })), [view, nowMs]);
  return (
    <>
      <PaintedRows paint={(_, { rows }) => ({ rows: rowsOf(rows) })} />
      <Rows rows={above} />
      <ActiveScope name="session" />
      <ActiveScope name="conversation" />
      <ActiveScope name="home" />
    </>
  );
}
