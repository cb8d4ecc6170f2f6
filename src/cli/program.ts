// The commander program, made from the command table.

import { Argument, CommanderError, Help, Option, Command as Parser } from "commander";
import { reportProblems } from "../app/session.ts";
import { version, type World } from "../app/world.ts";
import { howToTarget } from "../model/address.ts";
import { suggest } from "../model/diagnostic.ts";
import { sentenceCase } from "../model/value.ts";
import { asksForJson } from "./report-crash.ts";
import {
  choiceMistake,
  commonFlagsOf,
  type Flag,
  formatFlag,
  formatsOf,
  isInHelp,
  mistakeOf,
  type Parameter,
  type Usage,
  valueReader,
} from "./usage/usage.ts";
import { headingOf } from "./usages.ts";

/** Help is read like a page, also where nothing limits its lines. */
const pageColumns = 100;

const programEpilogue = `
Every command has examples: ticketing <command> --help

Exit codes:
  0    done
  1    something failed, or was blocked, refused or stale
  2    \`plan --detailed-exitcode\`: there are changes and none is blocked; \`ci drift\`: drift
  130  stopped by Ctrl-C

Environment variables:
  TICKETING_ENV       the environment to use, like --env
  TICKETING_BASE_URL  the service's URL, like --base-url
  TICKETING_API_KEY   the API key, unless the environment names another variable
  TICKETING_NOW       the current time (ISO 8601), for tests and demos
  NO_COLOR, FORCE_COLOR`;

/** What was typed, once the parser has accepted it. */
export interface Typed {
  /** With the names above it: `webhooks list`. */
  readonly path: string;
  readonly usage: Usage;
  readonly options: Readonly<Record<string, unknown>>;
}

export type Parsed =
  | { readonly kind: "run"; readonly typed: Typed }
  /** Help was asked for and shown, or a mistake was found and reported. */
  | { readonly kind: "ended"; readonly exitCode: number };

/** Reads the arguments. Mistakes are written to stderr and are never exit code 2, which is about plans. */
export async function parseArguments(world: World, usages: readonly Usage[]): Promise<Parsed> {
  let typed: Typed | undefined;
  const program = buildProgram(world, usages, (found) => {
    typed = found;
  });
  try {
    await program.parseAsync([...world.argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "ended", exitCode: 0 };
    return { kind: "ended", exitCode: 1 };
  }
  return typed === undefined ? { kind: "ended", exitCode: 0 } : { kind: "run", typed };
}

/** What every command of the program is completed with. */
interface Building {
  readonly world: World;
  readonly usages: readonly Usage[];
  readonly onTyped: (typed: Typed) => void;
}

function buildProgram(world: World, usages: readonly Usage[], onTyped: (typed: Typed) => void): Parser {
  const building = { world, usages, onTyped };
  const program = new Parser("ticketing");
  program
    .description("Event ticketing as code: events as YAML in git, `plan` in pull requests, `apply` after merge.")
    .version(version, "-V, --version", "print the version")
    .addHelpText("after", programEpilogue);
  configureParser(program, building);
  program.configureHelp({ ...program.configureHelp(), formatHelp: commandsFirst });
  addFlags(program, [
    ...commonFlagsOf(),
    { flags: "--format <format>", description: "output format; the choices depend on the command" },
  ]);
  refuseUnknownWithHelp(program, usages);
  program.allowExcessArguments().action(() => {
    if (program.args.length > 0) refuseWord(program, usages);
    showNames(program, world, usages);
  });
  addCommands(program, usages, building);
  addHelpCommand(program, building);
  return program;
}

/** People ask more often which commands exist than how to use one. */
function commandsFirst(command: Parser, helper: Help): string {
  const parts = Help.prototype.formatHelp.call(helper, command, helper).trimEnd().split("\n\n");
  const areOptions = (part: string) => part.startsWith("Options:");
  return `${[...parts.filter((part) => !areOptions(part)), ...parts.filter(areOptions)].join("\n\n")}\n`;
}

/** Our own, because the parser's shows the whole program's help for a command that it does not know. */
function addHelpCommand(program: Parser, building: Building): void {
  const parser = program.command("help [command...]", { hidden: true }).summary("show the help of a command");
  configureParser(parser, building);
  parser.action((words: readonly string[]) => {
    let asked = program;
    let known = building.usages;
    for (const word of words) {
      const next = known.find(({ name }) => name === word);
      const below = asked.commands.find((command) => command.name() === word);
      if (next === undefined || below === undefined) refuseWord(asked, known, word);
      completeParser(below, next, building);
      asked = below;
      known = next.below ?? [];
    }
    asked.outputHelp();
  });
}

/** Names what may follow. Only the command that is typed gets its flags: creating all of them takes longer than most commands. */
function addCommands(parent: Parser, known: readonly Usage[], building: Building): void {
  for (const usage of known) {
    const heading = headingOf(usage);
    const parser = parent.command(usage.name).summary(usage.summary);
    if (heading !== undefined) parser.helpGroup(`${heading}:`);
  }
  parent.hook("preSubcommand", (_, typed) => {
    const usage = known.find(({ name }) => name === typed.name());
    if (usage !== undefined) completeParser(typed, usage, building);
  });
}

function completeParser(parser: Parser, usage: Usage, building: Building): void {
  const { summary, details, examples, parameters, flags = [], below = [] } = usage;
  configureParser(parser, building);
  const sentence = `${sentenceCase(summary)}.`;
  parser.description(details === undefined ? sentence : `${sentence}\n${details}`);
  for (const parameter of parameters ?? []) parser.addArgument(toArgument(parameter));
  const missingArgument = (name: string) =>
    parser.error(`error: missing required argument '${name}'\n(For example: \`${examples[0]?.[0]}\`.)`);
  Object.assign(parser, { missingArgument });
  // Not `[command] <event>`, which looks as if both could follow.
  if (below.length > 0 && parameters !== undefined) parser.usage(`[options] <${parameters[0]?.name}>`);
  addFlags(parser, flags);
  const isHidden = (flag: Flag) => !isInHelp(flag, usage);
  addFlags(parser, [formatFlag(usage)], { isHidden });
  addFlags(parser, commonFlagsOf(usage), { group: "Common options:", isHidden });
  parser.addHelpText(
    "after",
    ["\nExamples:", ...examples.flatMap(([line, does]) => [`  ${line}`, `      ${does}`])].join("\n"),
  );
  const namesOnly = below.length > 0 && parameters === undefined;
  if (namesOnly) refuseUnknownWithHelp(parser, below);
  parser.allowExcessArguments(namesOnly).action(() => {
    if (namesOnly && parser.args.length > 0) refuseWord(parser, below);
    if (usage.group) return showNames(parser, building.world, below);
    const [, ...path] = commandNames(parser);
    building.onTyped({ path: path.join(" "), usage, options: gatherOptions(parser, usage) });
  });
  addCommands(parser, below, building);
}

/** A name that does nothing by itself: people see what may follow, and programs that nothing was requested. */
function showNames(parser: Parser, world: World, known: readonly Usage[]): void {
  if (!asksForJson(world.argv)) parser.outputHelp();
  else parser.error(`error: \`${commandPath(parser)}\` needs one of: ${known.map(({ name }) => name).join(", ")}`);
}

/** `ticketing plann --help` is a mistake as well: the help of something else would hide it. */
function refuseUnknownWithHelp(parser: Parser, known: readonly Usage[]): void {
  parser.addHelpText("before", () => {
    const word = parser.args.find((one) => !one.startsWith("-"));
    if (word !== undefined && word !== "help" && !known.some(({ name }) => name === word))
      refuseWord(parser, known, word);
    return "";
  });
}

/** The word after a group's name is not one of its commands. */
function refuseWord(parser: Parser, known: readonly Usage[], word = parser.args[0] ?? ""): never {
  const names = known.map(({ name }) => name);
  // `ticketing drift` means `ticketing ci drift`.
  const group = known.find(({ below = [] }) => below.some(({ name }) => name === word));
  const near = group === undefined ? suggest(word, names) : `\`${commandPath(parser)} ${group.name} ${word}\``;
  const all =
    names.length === 0 ? `\`${commandPath(parser)}\` has no subcommands.` : `Choose one of: ${names.join(", ")}.`;
  return parser.error(`error: unknown command '${word}'\n(${near === null ? all : `Did you mean ${near}?`})`);
}

/** For a flag of other commands, the message names these; for a typo, the parser suggests one. */
function nameOwnersOfFlags(parser: Parser, usages: readonly Usage[]): void {
  const refusing = parser as Parser & { unknownOption(flag: string): void };
  const suggestNear = refusing.unknownOption;
  refusing.unknownOption = (flag) => {
    const owners = ownersOf(flag, usages, "");
    if (owners.length === 0) suggestNear.call(parser, flag);
    else parser.error(`error: unknown option '${flag}'\n(It belongs to: ${owners.join(", ")}.)`);
  };
}

function ownersOf(flag: string, usages: readonly Usage[], above: string): readonly string[] {
  return usages.flatMap((usage) => {
    const path = `${above}${usage.name}`;
    const isOwn = (usage.flags ?? []).some(({ flags }) => flags.split(/[ ,]+/).includes(flag));
    return [...(isOwn ? [path] : []), ...ownersOf(flag, usage.below ?? [], `${path} `)];
  });
}

function configureParser(parser: Parser, { world, usages }: Building): void {
  nameOwnersOfFlags(parser, usages);
  parser
    .exitOverride()
    .helpCommand(false)
    // Everything after a command's name belongs to that command, which knows all common flags itself.
    .enablePositionalOptions()
    .helpOption("-h, --help", "show this help")
    // Only names, so that the column stays narrow; what follows a name is in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: (text) => {
        const mistake = mistakeOf(text);
        const see = `See \`${commandPath(parser)} --help\`.`;
        const word = parser.args.at(-1);
        const isExtra = text.startsWith("error: too many") && parser.options.some(({ long }) => long === "--target");
        // Several addresses after one --target, typed or expanded by the shell from a wildcard: the rest are extra.
        const isSecond = parser.opts().target !== undefined;
        const how = isSecond
          ? "Put --target in front of each address, and a wildcard in quotes."
          : howToTarget(word ?? "");
        const target = isExtra ? [how] : [];
        const hint = [mistake.hint, ...target, see].filter((one) => one !== undefined).join(" ");
        reportProblems(world, asksForJson(world.argv) ? "json" : "text", [{ ...mistake, hint }]);
      },
      getOutHelpWidth: () => Math.min(world.stdout.columns, pageColumns),
      getErrHelpWidth: () => Math.min(world.stderr.columns, pageColumns),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

/** Values typed before the command's name count as well; the nearer one wins. */
function gatherOptions(parser: Parser, usage: Usage): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const layer of lineage(parser)) {
    for (const [name, value] of Object.entries(layer.opts())) {
      const isDefault = layer.getOptionValueSource(name) === "default";
      if (!isDefault || (layer === parser && !(name in options))) options[name] = value;
    }
  }
  (usage.parameters ?? []).forEach((parameter, index) => {
    const value = parser.processedArgs[index];
    if (value !== undefined) options[parameter.name] = value;
  });
  for (const flag of usage.flags ?? []) {
    const option = new Option(flag.flags);
    if (option.isBoolean()) options[option.attributeName()] ??= false;
  }
  options.format ??= formatsOf(usage)[0];
  const mistake = choiceMistake(String(options.format), formatsOf(usage));
  if (mistake !== null)
    parser.error(`error: option '--format <format>' argument '${String(options.format)}' is invalid. ${mistake}`);
  return options;
}

function lineage(parser: Parser): Parser[] {
  return parser.parent === null ? [parser] : [...lineage(parser.parent), parser];
}

function commandNames(parser: Parser): readonly string[] {
  return lineage(parser).map((layer) => layer.name());
}

function commandPath(parser: Parser): string {
  return commandNames(parser).join(" ");
}

function addFlags(
  parser: Parser,
  flags: readonly Flag[],
  how: { readonly group?: string; readonly isHidden?: (flag: Flag) => boolean } = {},
): void {
  for (const flag of flags) {
    const option = new Option(flag.flags, usageDescription(flag));
    if (how.group !== undefined) option.helpGroup(how.group);
    option.hideHelp(flag.description === "" || how.isHidden?.(flag) === true);
    if (option.required) option.argParser(valueReader(flag, flag.repeatable === true));
    if (flag.default !== undefined) option.default(flag.default, String(flag.default));
    parser.addOption(option);
  }
}

function toArgument(parameter: Parameter): Argument {
  const { name, need } = parameter;
  const shape = need === "required" ? `<${name}>` : need === "optional" ? `[${name}]` : `[${name}...]`;
  return new Argument(shape, usageDescription(parameter)).argParser(valueReader(parameter, need === "many"));
}

function usageDescription({ description, choices }: Flag | Parameter): string {
  const isListed = choices === undefined || choices.every((choice) => description.includes(choice));
  return isListed ? description : `${description}; one of: ${choices.join(", ")}`;
}
