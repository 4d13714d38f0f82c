import type { CapabilityRecord, ProbeOutcome, Result, ServerMethods } from "@harness/protocol";
import type { ActionName } from "../../keymap/key-tables.ts";
import { overlayState } from "../../state/overlay-state.ts";

/** Usage and description of the commands, and the screens; the keys are the ones currently in effect. */
export type HelpTables = {
  readonly commands: readonly (readonly string[])[];
  readonly screens: readonly { readonly title: string; readonly openedBy: ActionName; readonly purpose: string }[];
};

export type HelpSheet = { readonly kind: "help"; readonly scroll: number; readonly tables: HelpTables };

/** Tokens and cost; while neither field is set they are being added up. */
export type UsageSheet = {
  readonly kind: "usage";
  readonly scroll: number;
  readonly usage?: Result<ServerMethods, "usage/get">;
  readonly problem?: string;
};

/** A model being probed. `of`: the number of probes, once known. */
export type DoctorSheet = {
  readonly kind: "doctor";
  readonly scroll: number;
  readonly label: string;
  readonly probes: readonly ProbeOutcome[];
  readonly of: number | undefined;
  readonly running: boolean;
  readonly capabilities?: CapabilityRecord;
  readonly problem?: string;
};

export const helpSheet = overlayState<HelpSheet>("help");
export const usageSheet = overlayState<UsageSheet>("usage");
export const doctorSheet = overlayState<DoctorSheet>("doctor");
