import { row, span, style } from "../../text/index.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { OverlayPage } from "../../widgets/overlay-page.tsx";
import { Rows } from "../../widgets/rows.tsx";
import { useView, useWindow } from "../../widgets/use-window.ts";
import { keyListRows } from "./key-list-rows.ts";
import { type KeyList, keyList } from "./state.ts";

const TITLE = span("Keys  ", style({ bold: true }));
const FILTER = span("filter: ", style({ fg: "muted" }));

/** All keys; typed text filters them, except while a new key for an action is awaited. */
export function Keys() {
  const list = useWindow(({ state }) => keyList.of(state));
  return list ? <List list={list} /> : null;
}

function List({ list }: { readonly list: KeyList }) {
  const { rows, keys } = keyListRows(list, useView());
  const { filter, pressing } = list;
  const label = filter === "" ? [TITLE] : [TITLE, FILTER];
  return (
    <OverlayPage keys={keys}>
      {pressing ? (
        <Rows rows={[row(...label, span(filter))]} />
      ) : (
        <LineField label={label} text={filter} placeholder="type to filter" />
      )}
      <Rows rows={rows} />
    </OverlayPage>
  );
}
