import { element } from "./dom.ts";
import { afterEvents } from "./link/node-globals.ts";
import { pageKey } from "./link/page-key.ts";
import { PageApp } from "./page-app.ts";

Object.assign(globalThis, { setImmediate: afterEvents });

const key = await pageKey().catch(() => ({ problem: "harness web does not answer. It may have ended." }));
if ("problem" in key)
  document.body.replaceChildren(element("main", {}, element("h1", {}, "harness"), element("p", {}, key.problem)));
else new PageApp(key);
