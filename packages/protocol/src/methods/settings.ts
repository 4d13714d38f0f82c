import * as z from "zod";
import { SettingView } from "../vocabulary/setting-view.ts";
import { notification, request } from "./table.ts";

export const settingsMethods = {
  "settings/get": request({
    doc: "Every setting with its value, where the value comes from, and its default.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({
      settings: z.array(SettingView),
      path: z.string(),
      version: z.string(),
      /** Problems in the files, as sentences for people. */
      problems: z.array(z.string()),
    }),
  }),
  "settings/set": request({
    doc: "Writes values to the user's settings file; `null` puts a setting back to its default. All or nothing.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({
      edits: z.array(z.object({ key: z.string(), value: z.unknown() })).min(1),
      /** Refuses with `conflict` if the file has changed since this version was read. */
      expectedVersion: z.string().optional(),
    }),
    result: z.object({
      version: z.string(),
      settings: z.array(SettingView),
      /** Further notes for the user, such as where an unreadable file was moved. */
      problems: z.array(z.string()),
    }),
  }),
};

export const settingsNotifications = {
  "settings/changed": notification({
    doc: "The settings file changed; read it again.",
    params: z.object({ version: z.string() }),
  }),
};
