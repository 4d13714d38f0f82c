import { isHarmlessAwk } from "../scripts/awk.ts";
import { readSed } from "../scripts/sed.ts";
import { leadsOutOfFolder } from "./elsewhere.ts";
import type { Reach } from "./reach.ts";

const gh: Reach = {
  reaches:
    "-R --repo --hostname -F@ --body-file --template@ -T@ -D --dir --host -O --output -o --clobber --recover --remote-name --editor@ -g --group -X --method -f --field --raw-field --input --notes-file --delete-branch --admin --org --head@ -H@ --env -p --public --force",
  unless: /^(?:-F|-T) [\w-]+$|^-p $/,
  operand: (word) => (word.startsWith("!") ? "starts" : leadsOutOfFolder(word) ? "reaches" : undefined),
};
const merging: Reach = { ...gh, reaches: `${gh.reaches} -d` };
const containers: Reach = {
  starts:
    "-v --volume --mount --privileged --entrypoint --device --cap-add --security-opt --pid --ipc --userns -H --host -c --context --config --env-file --network --net -f --file --build-arg --ssh --secret --builder --cgroupns --cgroup-parent --uts --group-add --device-cgroup-rule --sysctl --volume-driver --storage-opt --log-driver --log-opt --label-file --allow --build-context --runtime --exec --project-directory --volumes-from --add-host --tlscacert --tlscert --tlskey -u --user",
  reaches:
    "-o --output --iidfile --cidfile --metadata-file --cache-to --cache-from --push --registry -p --publish --volumes --rmi",
  harmless: "--pull",
  unless: /^-(?:f|v|p|u|c) (?:$|-)/,
};

const fromElsewhere: Reach["operand"] = (word) => (leadsOutOfFolder(word) ? "reaches" : undefined);
const cluster: Reach = {
  starts:
    "--kubeconfig --context --cluster --user -s --server --token --as --as-group --as-uid --certificate-authority --client-key --client-certificate --insecure-skip-tls-verify -k@ --kustomize --raw",
  reaches:
    "-f --filename -n@ --namespace@ -o@ --output@ --cache-dir --output-directory --profile-output --tls-server-name --proxy-url --template@ --prune --address --accept-hosts --accept-paths --www",
  harmless: "--follow",
  unless: /^-f $/,
};

/** Programs of the system, of containers, clusters and other hosts. */
export const systemReach: Readonly<Record<string, Reach>> = {
  "gh glab": {
    ...gh,
    subcommands: {
      pr: merging,
      mr: merging,
      repo: { ...gh, operand: (word) => (/^[\w.-]+\/[\w.-]+$/.test(word) ? "reaches" : undefined) },
    },
  },
  "docker podman nerdctl docker-compose": {
    ...containers,
    subcommands: {
      logs: {},
      ps: {},
      build: { ...containers, operand: fromElsewhere },
      buildx: { ...containers, operand: fromElsewhere },
      cp: { ...containers, operand: fromElsewhere },
      // Without a value it removes volumes.
      compose: { ...containers, unless: /^-(?:f|p|u|c) (?:$|-)/ },
      down: { ...containers, unless: /^-(?:f|p|u|c) (?:$|-)/ },
    },
  },
  "kubectl oc": {
    ...cluster,
    subcommands: {
      logs: { ...cluster, reaches: "--cache-dir --proxy-url --profile-output" },
      cp: { ...cluster, operand: fromElsewhere },
    },
  },
  helm: {
    starts:
      "--kubeconfig --kube-context --kube-apiserver --kube-token --post-renderer --post-renderer-args --plugins --registry-config --repository-config --kube-as-user",
    reaches:
      "-f --values --set-file --repo --output-dir --repository-cache -d --destination --ca-file --cert-file --key-file",
    operand: fromElsewhere,
  },
  "terraform tofu": {
    words: true,
    starts: "-chdir -plugin-dir -backend-config -var-file -from-module -get-plugins -test-directory",
    reaches: "-out -state -state-out -backup -generate-config-out -migrate-state -force-copy",
    harmless: "-lock",
  },
  curl: {
    shortens: true,
    harmless: "--compressed --no",
    starts: "-K --config --engine --netrc-file",
    unless: /^(?:-w |--write-out=)(?!@)(?![\s\S]*%output\{)/,
    reaches:
      "-o -O --output --output-dir -T --upload-file -D --dump-header -c --cookie-jar -x --proxy --preproxy --socks5 --connect-to --resolve --unix-socket --trace --trace-ascii --stderr -F --form -d --data --data-binary --data-raw --data-urlencode --json -X --request --next --libcurl --etag-save --hsts --alt-svc -b@ --cookie@ -E --cert --key --remote-name --remote-name-all -J -w --write-out --proxy-header --proxy-user -U --proxy1.0 --proxytunnel -p --socks4 --socks4a --socks5-hostname --doh-url --dns-servers --interface --url@ --url-query --variable --form-string -Q --quote --prequote --postquote --capath --cacert --crlfile --abstract-unix-socket --ssl-sessions --sslkeylog --upload-flags --random-file --mail-rcpt --mail-from -t --telnet-option -P --ftp-port",
    valued: "HAemuUwCrYytz",
  },
  wget: {
    starts: "-e --execute --config --use-askpass",
    reaches:
      "-O -o -a -P -i --output-document --output-file --append-output --directory-prefix --input-file --post-file --post-data --body-file --body-data --method --save-cookies --load-cookies --save-headers@ --warc-file --rejected-log --hsts-file -B --base -r --recursive -m --mirror -H --span-hosts --input-metalink --metalink-over-http --ca-certificate --ca-directory --certificate --private-key --crl-file --random-file --egd-file --bind-address --content-disposition --trust-server-names",
    shortens: true,
    harmless: "--no --re",
  },
  "ssh scp sftp": { starts: "-o -F -J -S -D -L -R -W -w -I -i -E -P@ -X -Y -A -g -O -m -b", valued: "lpcB" },
  rsync: {
    starts: "-e --rsh --rsync-path --early-input --daemon --config --password-file -M --remote-option",
    reaches:
      "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --remove-source-files --log-file -T --temp-dir --partial-dir --backup-dir --compare-dest --copy-dest --link-dest --write-batch --only-write-batch --read-batch --files-from --copy-links -L -K --keep-dirlinks -k --copy-dirlinks --copy-unsafe-links --force --ignore-errors --write-devices --copy-devices --super --trust-sender --address",
    shortens: true,
    valued: "fB",
    harmless: "--no --re --de",
    operand: (word) => (/^[\w.@-]+:/.test(word) ? "reaches" : undefined),
  },
  "tar bsdtar gtar": {
    starts:
      "-I -F --use-compress-program --to-command --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script",
    reaches:
      "-C --directory --one-top-level --volno-file --index-file -P --absolute-names --recursive-unlink --remove-files --unlink-first --overwrite -T --files-from --transform --xform -s -g --listed-incremental -h --dereference --keep-directory-symlink",
    shortens: true,
    valued: "fbXNLVK",
    harmless: "--no --re --i --f",
    // The first word is a group of letters, with or without a dash.
    operand: (word, at) =>
      at === 0 && /^[A-Za-z]*[IFPCTsgh]/.test(word) && /^[A-Za-z]+$/.test(word) ? "starts" : undefined,
  },
  zip: { starts: "-T -TT --unzip-command --test", reaches: "-m --move -O --output-file --out -b --temp-path" },
  unzip: { reaches: "-d -o" },
  "man apropos": {
    starts:
      "-H -P -C -p -t -T -X --pager --html --config-file --preprocessor --extension@ --troff --troff-device --gxditview -M --manpath -l --local-file -m --systems",
    shortens: true,
    valued: "Sse",
  },
  "less more most": {
    starts: "-k -K --lesskey-file --lesskey-src --lesskey-content --use-backslash@",
    reaches: "-o -O --log-file --LOG-FILE -t -T --tag --tag-file",
    shortens: true,
    operand: (word) => (/^\+/.test(word) ? "starts" : undefined),
  },
  sort: {
    starts: "--compress-program",
    reaches: "-o --output -T --temporary-directory --files0-from",
    shortens: true,
    valued: "kStb",
  },
  "uniq comm split csplit": { starts: "--filter", reaches: "--additional-suffix@", shortens: true },
  "wc du": { reaches: "--files0-from", shortens: true },
  find: {
    words: true,
    starts: "-exec -execdir -ok -okdir -files0-from",
    reaches: "-delete -fprint -fprint0 -fprintf -fls",
  },
  "fd fdfind": { starts: "-x --exec -X --exec-batch", reaches: "--base-directory -C --search-path --ignore-file@" },
  "rg ripgrep": { starts: "--pre --hostname-bin --search-zip@ --pre-glob@", reaches: "-f@ --file --ignore-file@" },
  "grep egrep fgrep": { reaches: "--file@", valued: "eABCmf" },
  "sed gsed": {
    starts: "-f --file",
    reaches: "-i --in-place",
    shortens: true,
    says: (word) => {
      const { runs, runsInput, writes } = readSed(word);
      return runsInput || runs.length > 0 || writes.length > 0;
    },
  },
  "awk gawk mawk": {
    starts: "-f --file -e -E --exec -l --load -i --include -D --debug",
    reaches: "-o --pretty-print -d --dump-variables -p --profile",
    says: (word) => /\bsystem\b|\bgetline\b|[|>@]/.test(word) && !isHarmlessAwk(word),
    shortens: true,
    valued: "Fv",
  },
  xargs: { starts: "-a --arg-file" },
  "jq yq": { starts: "-L --from-file -f", reaches: "-i --inplace -s@ --split-exp --rawfile --slurpfile" },
  sqlite3: {
    words: true,
    starts: "-cmd -init -vfs --cmd --init -A -append -archive",
    reaches: "-ascii@",
    operand: (word) =>
      /^\.(?:sh|sy|ou|on|lo|im|re|sa|ba|cd|ex|ar|op|du|ta)|\b(?:writefile|readfile|load_extension|edit|attach)\b/i.test(
        word,
      )
        ? "starts"
        : undefined,
  },
  psql: {
    starts: "-f --file -v --set --variable -P --pset",
    unless:
      /^(?:-P |--pset=)(?:format|border|expanded|null|footer|title|tuples_only|fieldsep|linestyle|columns)(?:=|$)/,
    says: (word) =>
      /\\(?:[!cgiosw]|lo_|ir|e)|\bprogram\b|\bpg_(?:read|ls|write)\w*|\blo_(?:import|export)\b/i.test(word),
    reaches: "-o --output -L --log-file -h --host -d@ --dbname@ -p --port -U --username",
    shortens: true,
    operand: (word) =>
      /^postgres(?:ql)?:|\b(?:host\w*|service|passfile|sslkey)\s*=/i.test(word) ? "reaches" : undefined,
  },
  "mysql mariadb": {
    starts:
      "--init-command --defaults-file --defaults-extra-file --plugin-dir --pager --load-data-local-dir --local-infile",
    reaches: "-h --host --tee -P --port -S --socket --login-path --defaults-group-suffix",
    says: (word) =>
      /\\[!.TPeR]|^\s*(?:system|source|tee|pager|edit)\b|\b(?:outfile|dumpfile|load_file|infile)\b/i.test(word),
    shortens: true,
  },
  "ffmpeg ffprobe convert magick": {
    words: true,
    reaches:
      "-report -dump_attachment -progress -vstats_file -passlogfile -sdp_file -protocol_whitelist -filter_complex_script -filter_script -y -init_hw_device -write -print@",
    starts: "-f@ -safe",
    operand: (word) => (/^[a-z]{2,}:/i.test(word) ? "reaches" : undefined),
  },
  "apt apt-get dpkg": {
    starts:
      "-o --option -c --config-file -t --target-release --root --pre-invoke --post-invoke --instdir --admindir --force-confnew@",
    reaches: "--host-architecture --print-uris@",
    operand: (word) => (/^(?:\.{0,2}\/|.*\.deb$)/.test(word) ? "starts" : undefined),
  },
  "dnf yum": {
    starts: "-c --config --installroot --setopt --enableplugin --releasever",
    reaches: "--repofrompath --repo --downloaddir --destdir --nogpgcheck",
    operand: (word) => (/^(?:\.{0,2}\/|\w+:\/\/|.*\.rpm$)/.test(word) ? "starts" : undefined),
  },
  "pacman apk": {
    starts:
      "--config --hookdir --root -r --dbpath -b --gpgdir --sysroot -p --repositories-file -X --repository --allow-untrusted",
    reaches: "--cachedir --logfile --cache-dir -U",
  },
  brew: {
    starts: "--build-from-source@ --cc --interactive --edit --debug",
    operand: (word) => (/\/|:|\.rb$/.test(word) ? "starts" : undefined),
  },
  "ls cat head tail touch mkdir echo date which pwd": {},
  "cp mv ln install": {
    reaches: "-t --target-directory -S@ --strip-program --backup@",
    shortens: true,
    harmless: "--strip",
  },
};
