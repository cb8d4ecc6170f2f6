// ticketing init: a first project that validates, with editor settings and a CI workflow.
import { relative, resolve } from "node:path";
import { type Readable, Writable } from "node:stream";
import {
  firstEventFile,
  type ImportOptions,
  type InitOptions,
  type Interviewer,
  importJson,
  importProject,
  importText,
  initProject,
  type MadeProject,
} from "../../app/import.ts";
import { reportProblems } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { safeJson, safeText, sanitize, targetLine, wrapText } from "../../report/text.ts";
import { openReading } from "../terminal/progress.ts";
import { canAsk } from "../terminal/watch-rounds.ts";

export async function runInit(
  world: World,
  typed: InitOptions,
  openInterview = canAsk(world) ? () => interviewAt(world) : null,
): Promise<number> {
  const { format } = typed;
  const directory = resolve(typed.directory, typed.dir ?? ".");
  const openProgress = () => openReading(world);
  const result = await initProject(world, { ...typed, directory }, { openInterview, openProgress });
  if (!result.ok) return reportProblems(world, format, result.diagnostics);
  const { made } = result;
  if (made === null) return interruptedCode;
  const { files, events, diagnostics } = made;
  if (format === "json") {
    const json = { formatVersion: 1, ok: true, directory, files, events: events ?? [], diagnostics };
    world.stdout.write(`${safeJson(json)}\n`);
  } else {
    world.stdout.write(initText(made, nextSteps(world, relative(world.cwd, directory), made)));
    reportProblems(world, format, diagnostics);
  }
  return made.isWhole ? 0 : 1;
}

const signs = { created: "+", updated: "~", unchanged: "=", kept: "!" } as const;

function initText({ answers, events, files, isNew, targets }: MadeProject, steps: readonly string[]): string {
  const { name, baseUrl } = answers.environment ?? { name: "sandbox", baseUrl: null };
  const head = isNew
    ? `${targetLine(name, baseUrl)}${events === null ? ", offline" : ""}`
    : safeText(`Target: none (offline; jobs for ${targets.join(", ")})`);
  const lines = files.map(
    ({ file, action }) => `${signs[action]} ${safeText(file)}${action === "kept" ? " (not changed)" : ""}`,
  );
  return `${head}\n\n${lines.join("\n")}\n\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}\n`;
}

function nextSteps(
  { env, stdout }: World,
  folder: string,
  { answers, isNew, files, ciFile, lacks, remembered }: MadeProject,
): readonly string[] {
  const { environment, importLive, ci } = answers;
  const hasKey = (env.TICKETING_API_KEY ?? "") !== "";
  // If a key is set, commands use the sandbox only if it is named.
  const sandbox = hasKey ? " --env sandbox" : "";
  const real = environment === null ? "" : ` --env ${environment.name}`;
  const rehearsal = [
    [`ticketing plan${sandbox}`, "show what would change in the embedded sandbox"],
    [`ticketing apply${sandbox}`, "make those changes there"],
  ];
  const steps =
    environment === null
      ? rehearsal
      : importLive
        ? [
            [`ticketing plan${real}`, "see that nothing differs yet"],
            [`ticketing apply${real}`, "apply your edits, once you have made some"],
          ]
        : [
            ...rehearsal,
            ...(hasKey ? [] : [["export TICKETING_API_KEY=…", "an API key from your dashboard"]]),
            [`ticketing import --all${real}`, "write files for what is live"],
            [`ticketing plan${real}`, "what would change on your service"],
          ];
  const hasExample = files.some(({ file, action }) => file === firstEventFile && action === "created");
  const without = hasExample ? `delete ${firstEventFile} unless you want it on your service, ` : "";
  const ciSteps =
    ciFile === null ? [] : wrapText(ciStep(ciFile, ci, lacks, without), stdout.columns - 4, stdout.columns - 2);
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return [
    ...(folder === "" || !isNew ? [] : [`cd ${folder}`]),
    ...(isNew ? steps.map(([command = "", does = ""]) => `${command.padEnd(width)}  ${does}`) : []),
    // What this machine has applied so far must not be forgotten.
    ...remembered.map(
      (name) => `ticketing state migrate --to git --env ${name}  copies over what this machine remembers`,
    ),
    ...ciSteps.map((line, index) => `${index === 0 ? "" : "  "}${line.trim()}`),
  ];
}

/** `lacks`: without a remote, neither the place for state nor the name of the branch is known yet. `without`: what the first push is not to apply. */
function ciStep(file: string, host: string, lacks: MadeProject["lacks"], without: string): string {
  const set = `create the secrets and variables listed at the top of ${file}.`;
  if (lacks === null) return `For CI: ${without}commit these files, then ${set}`;
  const first = without + (lacks === "repository" ? "run `git init`, " : "");
  return `For CI: ${first}add the remote (\`git remote add origin URL\`), run \`ticketing init --ci ${host}\` again, then ${set}`;
}

/** Asks on the terminal. Questions are written to stderr, so that the command's output can be piped. */
async function interviewAt(world: World): Promise<Interviewer> {
  const { confirm, intro, isCancel, log, outro, text } = await import("@clack/prompts");
  const { stderr } = world;
  const output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        stderr.write(String(chunk));
        done();
      },
    }),
    { columns: stderr.columns, isTTY: true },
  );
  const common = { input: world.stdin as Readable, output, signal: world.interrupted };
  // Beside the bar on the left.
  const wrapped = (words: string, bar = "") =>
    wrapText(words, stderr.columns - 4)
      .map((line) => line.trim())
      .join(`\n${bar}`);
  return {
    begin: (title) => intro(title, { output }),
    async text({ message, placeholder, initial, check }) {
      const answer = await text({
        ...common,
        message: wrapped(message, "│  "),
        ...(placeholder === undefined ? {} : { placeholder }),
        ...(initial === undefined ? {} : { initialValue: initial }),
        validate: (value) => {
          const wrong = check?.((value ?? "").trim());
          return wrong === undefined ? undefined : wrapped(wrong, "   ");
        },
      });
      return isCancel(answer) ? null : (answer ?? "").trim();
    },
    async confirm(message, initial) {
      const answer = await confirm({ ...common, message: wrapped(message, "│  "), initialValue: initial });
      return isCancel(answer) ? null : answer;
    },
    info: (message) => log.info(wrapped(sanitize(message)), { output }),
    warn: (message) => log.warn(wrapped(sanitize(message)), { output }),
    end: (message) => outro(message, { output }),
  };
}

// ticketing import: live events as YAML that a person would have written.

export async function runImport(outside: World, options: ImportOptions): Promise<number> {
  const { format } = options;
  const { world, listener, onProgress, end } = openReading(outside);
  const onTarget = (line: string) => (format === "text" ? world.stdout : world.stderr).write(`${line}\n`);
  const result = await importProject(world, options, { listener, onTarget, onProgress }).finally(end);
  if (!result.ok) return reportProblems(world, format, result.diagnostics);
  const { imported, diagnostics } = result;
  if (format === "json") world.stdout.write(importJson(imported, diagnostics));
  else {
    const next = ["ticketing plan", ...sameTarget(world)].join(" ");
    world.stdout.write(importText(imported, next, world.stdout.columns));
    reportProblems(world, format, diagnostics);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
