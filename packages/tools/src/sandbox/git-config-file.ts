/** Settings that only describe a repository: none names a program, a file to include, or another source of code. */
const plainKeys: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|sharedrepository|worktree|longpaths|untrackedcache|commitgraph|preloadindex)$/,
  /^remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|mirror)$/,
  /^branch\..*\.(?:remote|merge|rebase|pushremote|description)$/,
  /^submodule\..*\.(?:active|url|branch|ignore|fetchrecursesubmodules)$|^submodule\.(?:active|recurse)$/,
  /^(?:user\.(?:name|email)|init\.defaultbranch|extensions\.(?:objectformat|refstorage)|commit\.gpgsign|tag\.gpgsign)$/,
  /^(?:pull|fetch|push|merge|rebase|rerere|advice|color|gc|status|maintenance|feature|index|pack|receive|transfer|log)\.\w+$/,
  /^lfs\.repositoryformatversion$/,
];
/** The members of these families that name programs. */
const programs =
  /^(?:merge\.(?:tool|guitool)|gc\.recentobjectshook|receive\.procreceiverefs|rebase\.instructionformat)$/;

/** True if a git configuration makes git run nothing (git-config(1)). Any line that is not plain counts as harmful. */
export function isHarmlessConfig(text: string): boolean {
  let section = "";
  for (const line of text.split("\n")) {
    let rest = line.trim();
    const header = /^\[\s*([\w.-]+)(?:\s+"([^"\\]*)")?\s*\]\s*/.exec(rest);
    if (header) {
      section = [header[1]?.toLowerCase(), header[2]].filter((each) => each !== undefined).join(".");
      rest = rest.slice(header[0].length);
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const [, key, value = ""] = /^([a-zA-Z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
    if (key === undefined || rest.endsWith("\\")) return false;
    const name = `${section}.${key.toLowerCase()}`;
    if (programs.test(name) || !plainKeys.some((each) => each.test(name))) return false;
    // `ext::` and the like run what follows; a leading dash makes it an option.
    if (/(?:url)$/.test(name) && /::|^["']?-/.test(value)) return false;
    if (/gpgsign$/.test(name) && !/^(?:false|no|off|0)$/i.test(value)) return false;
  }
  return true;
}
