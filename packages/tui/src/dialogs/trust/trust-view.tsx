import { useMemo } from "react";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { Rows } from "../../widgets/rows.tsx";
import { useView } from "../../widgets/use-window.ts";
import { trustScreen } from "./trust-screen.ts";

/** The trust dialog, over everything else. */
export function Trust({ dialog }: { readonly dialog: TrustDialog }) {
  const view = useView();
  const rows = useMemo(() => trustScreen(dialog, view), [dialog, view]);
  return (
    <>
      <ActiveScope name="trust" />
      <Rows rows={rows} />
    </>
  );
}
