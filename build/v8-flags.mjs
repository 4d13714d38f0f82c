import { readFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "../bin/v8-flags.sh");
const lists = new Map(
  [...readFileSync(path, "utf8").matchAll(/^(\w+)='([^']*)'$/gm)].map(([, name, words]) => [name, words.split(" ")]),
);

function words(name) {
  const list = lists.get(name);
  if (!list) throw new Error(`${path} has no ${name}='…'`);
  return list;
}

/** From bin/v8-flags.sh, which explains each. */
export const startFlags = words("start_flags");
export const idleFlags = words("idle_flags");
export const runFlags = words("run_flags");
export const runTunables = words("run_tunables").join(" ");

/** Flags that the program sets itself; none on a Node newer than those they were tested with. */
export const newestTriedMajor = Number(words("newest_tried")[0]);
export const patientFlags = words("patient_flags");
export const runPatientFlags = [...patientFlags, ...words("run_patient_flags")];
