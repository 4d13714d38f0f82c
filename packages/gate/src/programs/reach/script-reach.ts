import { isAddress, leadsOutOfFolder } from "./elsewhere.ts";
import type { Reach } from "./reach.ts";

const address: Reach["operand"] = (word) =>
  isAddress(word) || /^(?:file|git\+\w+|github|jsr|npm):/.test(word) ? "reaches" : undefined;
/** A package from elsewhere, by its path or as a repository of a hosting service. */
const foreignPackage: Reach["operand"] = (word, at) =>
  leadsOutOfFolder(word) || /^[\w.-]*\w\/[\w.-]+(?:#.*)?$/.test(word) || /\s@\s/.test(word)
    ? "reaches"
    : address(word, at);

/** Package managers run scripts of projects and pass words on to them. */
const packages: Reach = {
  starts:
    "--node-options --script-shell --prefix --userconfig --globalconfig --global --location --git --shell --init-module --require --import --call --editor --pager --viewer --browser --cwd --dir --pnpmfile --global-pnpmfile --hooks --config-dir --modules-dir --virtual-store-dir --use-yarnrc --modules-folder --preload --config --env-file --scripts-prepend-node-path --use-node-version --onload-script --experimental-loader --loader --inspect --inspect-brk --inspect-wait -C -r@ -c",
  dotted: true,
  inside: true,
  reaches:
    "--registry --proxy --https-proxy --cache --cafile --ca --tag --otp --pack-destination --output --store-dir --lockfile-dir --global-dir --global-bin-dir --global-folder --link-folder --install-dir --cache-dir --logs-dir --backend",
  harmless:
    "--git-tag-version --cache-min --cache-max --run --prefer-offline --prefer-online --pre --pro --production --co --re",
  shortens: true,
  passesOn: true,
  operand: address,
  runs: "exec dlx x",
};
const installing: Reach = {
  ...packages,
  passesOn: undefined,
  runs: undefined,
  reaches: `${packages.reaches} -g`,
  operand: foreignPackage,
} as Reach;
const installs = "install i add ci update up upgrade remove rm uninstall un link unlink publish".split(" ");

const nodeFlags =
  "-e --eval -p --print -r --require --import --loader --experimental-loader --env-file --env-file-if-exists --experimental-config-file --experimental-default-config-file --test-global-setup --test-reporter@ -C --conditions --inspect --inspect-brk --inspect-wait --inspect-port --openssl-config --icu-data-dir --snapshot-blob --build-snapshot --build-snapshot-config --experimental-sea-config --build-sea --run --tsconfig --policy --experimental-policy --diagnostic-dir --dns-result-order -i --interactive";
const nodeWrites =
  "--test-reporter-destination --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --redirect-warnings --report-dir --report-directory --report-filename --trace-event-file-pattern --heapsnapshot-near-heap-limit --disable-warning --localstorage-file --trace-require-module";

const python: Reach = { script: true, runs: "-m", starts: "-c -m -i -X", reaches: "--check-hash-based-pycs" };
const pythonPackages: Reach = {
  starts:
    "--config-file --python --config-settings --config-setting -C -e --editable -r --requirement -c --constraint --build-constraint --directory --project --env-file --with --with-editable --with-requirements --script --module -m --use-pep517-backend --global-option --build-option --build-backend -P",
  reaches:
    "-i --index-url --index --extra-index-url --default-index -f --find-links --proxy --trusted-host --allow-insecure-host --cert --client-cert -t --target --prefix --root --src --log --report -d --dest -w --wheel-dir --cache-dir --install-option -o --output-file --output --out-dir --publish-url --repository --source --keyring-provider",
  shortens: true,
  harmless: "--pre --re --no --index-strategy",
  unless:
    /^(?:-e |--editable=)(?:\.|\.?\/?[\w-]+|\.)(?:\[[\w,-]+\])?$|^(?:-r |--requirement=)(?:[\w-]+\/)*[\w.-]*requirements[\w.-]*\.(?:txt|in)$/,
  operand: (word, at) => (leadsOutOfFolder(word) || /\s@\s/.test(word) ? "reaches" : address(word, at)),
  runs: "run",
};

/** Languages, their package managers and the programs that run their scripts. */
export const scriptReach: Readonly<Record<string, Reach>> = {
  "npm pnpm yarn bun": {
    ...packages,
    subcommands: Object.fromEntries(installs.map((name) => [name, installing])),
  },
  "npx pnpx bunx": {
    starts: "-c --call -p --package --node-options --script-shell --shell --prefix --registry",
    passesOn: true,
    inside: true,
    runs: "",
    operand: address,
  },
  lerna: { ...packages, shortens: undefined } as Reach,
  "nx turbo": {
    starts: "--config --cwd --global-turbo --preflight",
    reaches: "--api --token --team --cache-dir --graph --file --profile --outputPath --summarize@",
    passesOn: true,
  },
  "node nodejs": { script: true, starts: nodeFlags, reaches: nodeWrites },
  "tsx ts-node": {
    starts: `${nodeFlags} -P --project --tsconfig -T --compiler --cwd --script --cwd-mode -O --compilerOptions`,
    reaches: nodeWrites,
  },
  deno: {
    starts:
      "-c --config --import-map --cwd --root -P --permission-set --preload --require --node-options --env-file --location -e --eval -A --allow-all --allow-run --allow-ffi --allow-env --unsafely-ignore-certificate-errors --cert --ext --allow-scripts -E",
    inside: true,
    reaches:
      "-R -W -N -S -I --allow-net --allow-write --allow-read --allow-sys --allow-import -o --output --outdir --coverage@ --junit-path --cached-dir --lock@ --inspect --inspect-brk",
    operand: address,
  },
  "python python3": python,
  "pip pip3 uv pdm pipenv rye": pythonPackages,
  // `--with` names groups of dependencies here.
  "poetry hatch": {
    ...pythonPackages,
    harmless: `${pythonPackages.harmless} --with`,
    starts: `${pythonPackages.starts} -P`,
  },
  "tox nox": {
    starts:
      "-c --conf -f --noxfile --discover --root -x --override --installpkg --runner --plugins --workdir --work-dir --envdir --extra-pythons --force-python -P",
    reaches: "--result-json --report --outdir --sdistonly",
    unless: /^-[es] [\w.,-]+$/,
    inside: true,
    operand: (word, at) => (at === 0 && /^e(?:xec)?$/.test(word) ? "starts" : undefined),
    harmless: "--re --no",
    shortens: true,
    passesOn: true,
  },
  ruby: { script: true, starts: "-e -r -I -C -x -S -i --encoding-load", valued: "EKTW" },
  "bundle bundler gem": {
    starts: "--gemfile --config-file --init-script -i@ --install-dir -n --bindir --binstubs --shebang --standalone",
    runs: "exec",
    operand: (word) => (leadsOutOfFolder(word) ? "reaches" : undefined),
    reaches: "--path --source -s --clear-sources --http-proxy -p --trust-policy --full-index",
  },
  rake: {
    starts:
      "-f --rakefile -r --require -I --libdir -R --rakelibdir -e --execute -p --execute-print -E --execute-continue -g --system",
    shortens: true,
  },
  rspec: {
    shortens: true,
    inside: true,
    starts: "-r --require -I -O --options --bisect --init --default-path --drb",
    reaches: "-o --out --drb-port",
    valued: "etPf",
    unless: /^-f /,
  },
  rails: {
    starts: "-r --require -e@ --template -m --using -u",
    reaches: "--root -b --binding",
    passesOn: true,
    operand: (word, at) => (at === 0 && /^(?:runner|r|console|c|dbconsole|db)$/.test(word) ? "starts" : undefined),
  },
  php: { script: true, starts: "-d -c -r -B -R -F -E -z -t -S --define --php-ini --run --server", reaches: "-o" },
  composer: {
    shortens: true,
    starts: "-d --working-dir --plugin-dir",
    reaches: "--repository --repository-url --prefer-install@ --cache-dir",
    operand: address,
  },
  "phpunit pest": {
    shortens: true,
    inside: true,
    starts:
      "-c --configuration --bootstrap --extension --include-path --test-suffix@ -d --prepend --printer --loader --generate-configuration",
    reaches:
      "--cache-directory --log-junit --log-teamcity --log-otr --log-events-text --log-events-verbose-text --testdox-html --testdox-text --testdox-xml --testdox-html-file --coverage-clover --coverage-cobertura --coverage-crap4j --coverage-html --coverage-php --coverage-xml --coverage-text@ --coverage-openclover --cache-result-file --generate-baseline --use-baseline",
  },
  "perl lua": { script: true, starts: "-e -E -M -m -I -x -i -l@ -d" },
};
