import { isAddress, leadsOutOfFolder } from "./elsewhere.ts";
import type { Reach } from "./reach.ts";
import { soundsReaching } from "./sounds-reaching.ts";

/** Variables that name programs, their flags or places. */
const programVariable =
  /(?:^|_)(?:SHELL|\.?SHELLFLAGS|\w*FLAGS|MAKE\w*|CC|CXX|CPP|LD|AR|AS|NM|RM|CP|MV|LN|INSTALL|CMD|COMMAND|EXEC|BIN|TOOL\w*|RUNNER|WRAPPER|LAUNCHER|PYTHON\w*|NODE\w*|NPM|GO|CARGO|RUSTC|JAVA\w*|DOCKER|GIT|PREFIX|DESTDIR|\w*DIR|OUT\w*|HOST|URL|REGISTRY|REMOTE|REPO|\w*PATH|HOOK|EDITOR|PAGER|CONFIG|OPTIONS|OPTS)$/i;

/** `NAME=value` for make and the like: the value becomes part of a recipe, which a shell reads. */
const assignment: Reach["operand"] = (word) => {
  const [, name = "", value = ""] = /^([^=\s]+?)(?:\?|\+|:{1,3}|!)?=([\s\S]*)$/.exec(word) ?? [];
  if (name === "") return undefined;
  if (programVariable.test(name) || /[$`;&|<>(){}'"\\\n]/.test(value)) return "starts";
  return value.split(/\s/).some((each) => each.startsWith("-") && soundsReaching(each)) ? "starts" : undefined;
};

/** A plugin goal such as `exec:exec` starts programs; deploying and releasing reach others. */
const javaBuild: Reach["operand"] = (word) => {
  if (/^[\w.-]+:[\w.-]+/.test(word) || isAddress(word)) return "starts";
  return /^(?:site-)?deploy$|^release/.test(word) ? "reaches" : undefined;
};

const goFlags: Reach = {
  words: true,
  inside: true,
  starts:
    "-exec -toolexec -overlay -modfile -C -vettool -ldflags -gcflags -asmflags -gccgoflags -compiler -pkgdir -toolchain -workfile -pgo@ -fuzz@",
  reaches:
    "-o -outputdir -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -test.outputdir -test.coverprofile -test.cpuprofile -test.memprofile -test.trace -test.gocoverdir -test.fuzzcachedir -installsuffix -artifacts",
  unless: /^-ldflags=(?:-[sw]|-X[ =][\w./-]+=[\w.+-]*|\s)+$/,
};

/** Build tools and compilers. */
export const buildReach: Readonly<Record<string, Reach>> = {
  "make gmake": {
    starts:
      "-f --file --makefile -C --directory -I --include-dir -E --eval -e --environment-overrides -W --what-if --new-file --assume-new",
    reaches: "--debug@ --output-sync@",
    harmless: "--no --re --e",
    valued: "jlOo",
    shortens: true,
    operand: assignment,
  },
  cmake: {
    handsTo: "make",
    starts:
      "-P -C -S -B -E -D -G -T --toolchain --preset --build --install --workflow --open --system-information --debugger --debugger-pipe --find-package -A",
    reaches:
      "--prefix --trace-redirect --graphviz --install-prefix --profiling-output --debugger-dap-log --log-file --resolve-package-references@",
  },
  ctest: {
    starts:
      "-S -SP -C --script --script-new-process -D --dashboard -M -T --build-and-test --test-dir --overwrite --test-command --build-generator --build-makeprogram --launcher",
    reaches:
      "-O --output-log --output-junit --submit-index --resource-spec-file --extra-submit -A --add-notes --http1.0",
  },
  ninja: { starts: "-f -C -t", valued: "jkldw" },
  meson: {
    shortens: true,
    starts: "-C -f --wrapper --wrap --cross-file --native-file -D --setup --gdb --gdb-path -c --vsenv",
    reaches: "--destdir --logbase --prefix",
    passesOn: true,
  },
  just: {
    starts:
      "-f --justfile -d --working-directory --shell --shell-arg --shell-command --chooser --set -c --command --choose -e --edit --dotenv-path --dotenv-filename -g --global-justfile --cygpath --tempdir -E --init",
    operand: assignment,
  },
  task: {
    starts:
      "-t --taskfile -d --dir -g --global --init -i --cert --remote-cache-dir --download --trusted-hosts --insecure --output@ -o@",
    operand: (word, at) => assignment(word, at) ?? (isAddress(word) ? "starts" : undefined),
  },
  "bazel buck2 pants": {
    passesOn: true,
    starts:
      "--bazelrc --run_under --script_path --override_repository --override_module --registry --output_base --output_user_root --workspace_rc --host_jvm_args",
  },
  cargo: {
    unless: /^--target=[\w.-]*(?<!\.json)$/,
    starts:
      "--config --manifest-path -Z -C --runner --target --lockfile-path --artifact-dir --out-dir --root --path --git",
    reaches:
      "--target-dir --registry --index --timings@ --unit-graph --token --message-format@ --build-plan -o --output-format@ --open",
    passesOn: true,
    harmless: "-vv --release --profile --bin --lib --test --example --bench --all-targets --output-format",
    subcommands: {
      tree: { starts: "--config --manifest-path -Z" },
      fmt: { starts: "--config --manifest-path -Z", passesOn: true, inside: true },
    },
    operand: (word, at) => (word.startsWith("+") && at === 0 ? "starts" : isAddress(word) ? "reaches" : undefined),
  },
  rustc: { starts: "-C -Z -L --extern --sysroot --config", reaches: "-o --out-dir --emit@" },
  go: {
    ...goFlags,
    subcommands: {
      run: { ...goFlags, operand: (word) => (/^[\w.-]+\.[a-z]+\/.*@/.test(word) ? "starts" : undefined) },
      env: { starts: "-w -u" },
      mod: { words: true, starts: "-replace -modfile -overlay" },
    },
  },
  "golangci-lint goreleaser": {
    inside: true,
    starts: "-c --config --path-prefix --custom-gcl",
    reaches:
      "--out --output --out-format@ --output.text.path --output.json.path --cpu-profile-path --mem-profile-path --trace-path --clean@",
    passesOn: true,
  },
  "gradle gradlew": {
    valued: "DPxbcpgI",
    starts:
      "-D -P -I --init-script -b --build-file -c --settings-file -p --project-dir --include-build -g --gradle-user-home --system-prop --project-prop -F@ -M@ --java-home",
    reaches: "--project-cache-dir --profile@ --scan --publish --write-verification-metadata@",
    operand: (word) => (/(?:^|:)(?:publish|upload|deploy|release)\w*$/i.test(word) ? "reaches" : undefined),
    unless:
      /^-D\w+=|^(?:-D |--system-prop=)(?:test\.single|tests?|skipTests|java\.awt\.headless|file\.encoding)(?:=[\w.*-]*)?$/,
  },
  "mvn mvnw mvnd": {
    shortens: true,
    valued: "DPfslT",
    harmless: "-ntp -am -amd -pl -fae -fn -ff -rf -cpu",
    starts:
      "-D --define -f --file -s --settings -gs --global-settings -t --toolchains -gt --global-toolchains -P --activate-profiles -l@ -itr -emp -ep -is --install-settings",
    reaches: "-l --log-file",
    unless:
      /^(?:-D |--define=)(?:skipTests|skipITs|maven\.test\.skip|[\w.-]+\.skip|test|it\.test|style\.color|trimStackTrace|surefire\.useFile|surefire\.failIfNoSpecifiedTests|failIfNoTests)(?:=[\w.*#,+-]*)?$|^-D\w+=/,
    operand: javaBuild,
  },
  "sbt lein clj": {
    starts: "-J -D -f -i --init --main -M -A -X -Sdeps -Scp",
    operand: (word) => (/[;{(!]/.test(word) ? "starts" : undefined),
    passesOn: true,
  },
  dotnet: {
    words: true,
    anyCase: true,
    colons: true,
    starts:
      "-s -settings -test-adapter-path -p -property -rp -restoreProperty -collect -diag@ -environment -e -configfile -project -startup-project -launch-profile -additionalprobingpath -depsfile -runtimeconfig -roll-forward -blame-dump -logger@ -l@ -dl -distributedLogger -data-collector -a -connection",
    reaches:
      "-o -output -results-directory -d@ -artifacts-path -source -add-source -packages -api-key -k -bl -binaryLogger -fl -fileLogger -flp -fileLoggerParameters -pp -preprocess -ts -targets -profileEvaluation -report -binarylog -tool-path -g -global",
    unless: /^(?:-p|-property)=(?:Configuration|Version\w*|WarningLevel|TreatWarningsAsErrors)=[\w.-]*$/,
    operand: (word) => (leadsOutOfFolder(word) || word.startsWith("@") ? "starts" : undefined),
  },
  swift: {
    starts:
      "-Xcc -Xswiftc -Xlinker -Xcxx -Xbuild-tools-swiftc --package-path --chdir -C --toolchain --sdk --swift-sdk --destination --config-path --security-path --pkg-config-path --disable-sandbox -load-plugin-library --toolset",
    reaches: "--scratch-path --build-path --cache-path --xunit-output --output-path --netrc-file --multiroot-data-file",
    harmless: "--sanitize",
  },
  zig: {
    starts:
      "--build-file --zig-lib-dir --cache-dir --global-cache-dir --build-runner --libc -fuse-ld --sysroot --search-prefix -D@",
    reaches: "--prefix -p --prefix-lib-dir --prefix-exe-dir -femit-bin",
  },
  "mix elixir": {
    starts: "-e --eval -r --require -pr -pa -pz --erl -S --include-executables --exit-on-main@ --formatter",
    reaches: "--output --path -o",
  },
  "flutter dart": {
    starts:
      "--packages --enable-vm-service --observe --flutter-assets-dir --local-engine --local-engine-src-path --host --test-assets@ -D --dart-define-from-file --launcher",
    reaches: "-o --output --coverage-path --file-reporter --web-hostname --log-file",
    passesOn: true,
  },
  "gcc g++ cc c++ clang clang++": {
    starts:
      "-wrapper -B -specs -fplugin -Xclang -load -T -Wl -Xlinker -fuse-ld --config -fpass-plugin --specs -iplugindir",
    reaches: "-o -MF -dumpdir -save-temps@ -aux-info",
    operand: (word) => (word.startsWith("@") ? "starts" : undefined),
    unless: /^-T /,
    valued: "IDLlUWfOgmMxs",
  },
  "javac kotlinc scalac": {
    starts:
      "-processor -processorpath --processor-path -cp -classpath --class-path -J -Xplugin --plugin-path -Xbootclasspath --module-path -p",
    reaches: "-d -s -h",
    operand: (word) => (word.startsWith("@") ? "starts" : undefined),
  },
  java: {
    valued: "DX",
    starts:
      "-D -X -javaagent -agentlib -agentpath -cp -classpath --class-path --module-path -p -m -jar --patch-module -XX --upgrade-module-path",
    operand: (word) => (word.startsWith("@") ? "starts" : undefined),
  },
};
