import { readFileSync } from "node:fs";
import { join } from "node:path";

export type PageFile = { readonly type: string; readonly body: Buffer };

/**
 * The page by its paths: three files, built from `packages/web/page`. Throws if one is missing.
 */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const file = (name: string, type: string): PageFile => ({
    type: `${type}; charset=utf-8`,
    body: readFileSync(join(folder, name)),
  });
  return new Map([
    ["/", { type: "text/html; charset=utf-8", body: Buffer.from(HTML) }],
    ["/page.js", file("web-page.js", "text/javascript")],
    ["/page.css", file("web-page.css", "text/css")],
    ["/icon.svg", { type: "image/svg+xml", body: Buffer.from(ICON) }],
  ]);
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>harness</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f6feb"/><path d="M4 3h2v4h4V3h2v10h-2V9H6v4H4z" fill="#fff"/></svg>`;

/** Nothing is loaded from elsewhere, no text becomes code, and no other page can frame this one. */
export function pageHeaders(socketOrigin: string): Record<string, string> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${socketOrigin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
}
