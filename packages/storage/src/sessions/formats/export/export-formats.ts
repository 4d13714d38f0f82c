import type { ExportFormatName } from "@harness/protocol";
import { atifExport } from "./atif-export.ts";
import { bundleExport } from "./bundle-export.ts";
import type { ExportWriter } from "./export-source.ts";
import { htmlExport } from "./html-export.ts";
import { jsonExport } from "./json-export.ts";
import { markdownExport } from "./markdown-export.ts";

/** The export formats. To add one, write a row here and its name in the protocol. */
export const exportWriters: Readonly<Record<ExportFormatName, ExportWriter>> = {
  md: markdownExport,
  html: htmlExport,
  json: jsonExport,
  atif: atifExport,
  bundle: bundleExport,
};
