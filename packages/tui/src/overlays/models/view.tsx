import { span, style } from "../../text/index.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { OverlayPage } from "../../widgets/overlay-page.tsx";
import { Rows } from "../../widgets/rows.tsx";
import { useView, useWindow } from "../../widgets/use-window.ts";
import { modelPickerRows } from "./model-picker-rows.ts";
import type { SetupPage } from "./setup-page.ts";
import { pageRows } from "./setup-rows.ts";
import { type ModelPicker, modelPicker } from "./state.ts";

const FILTER = [span("Filter: ", style({ fg: "muted" }))];

/** The list of models, or the page of a way to get one. */
export function Models() {
  const picker = useWindow(({ state }) => modelPicker.of(state));
  if (!picker) return null;
  return picker.page ? <Page page={picker.page} /> : <List picker={picker} />;
}

function List({ picker }: { readonly picker: ModelPicker }) {
  const { title, list, keys } = modelPickerRows(picker, useView());
  return (
    <OverlayPage keys={keys}>
      <Rows rows={[title]} />
      <LineField label={FILTER} text={picker.filter} placeholder="type to filter" />
      <Rows rows={list} />
    </OverlayPage>
  );
}

function Page({ page }: { readonly page: SetupPage }) {
  const { size, keys: names } = useView();
  const { above, field, below, keys } = pageRows(page, { columns: size.columns - 2, rows: size.rows, keys: names });
  return (
    <OverlayPage keys={keys}>
      <Rows rows={above} />
      {field ? <LineField key={page.kind} {...field} /> : null}
      <Rows rows={below} />
    </OverlayPage>
  );
}
