// How a command is typed: all that the parser, `--help` and shell completion need to know of it.

export interface Flag {
  /** As commander reads it: `--max-deletes <n>`. */
  readonly flags: string;
  readonly description: string;
  /** What the value must be; any text where left out. */
  readonly takes?: "whole" | "positive" | "port" | "port-or-any" | "seconds" | "file" | "directory";
  readonly choices?: readonly string[];
  readonly repeatable?: true;
  /** The value where the flag is not typed. */
  readonly standard?: string | number;
}

export interface Parameter {
  /** Also the name under which the command finds it in its options. */
  readonly name: string;
  readonly description: string;
  readonly need: "required" | "optional" | "many";
  readonly takes?: "file" | "directory" | "positive";
  readonly choices?: readonly string[];
}

export interface Example {
  readonly line: string;
  readonly does: string;
}

/** A flag that every command accepts, by its long name. */
export type CommonFlag = "directory" | "env" | "base-url" | "no-color" | "verbose" | "format";

export interface Usage {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** More than one line, where the summary does not say enough. */
  readonly details?: string;
  readonly parameters?: readonly Parameter[];
  readonly flags?: readonly Flag[];
  /** What --format takes, the standard first. */
  readonly formats: readonly string[];
  /** Flags of every command that mean nothing to this one: accepted, so that a script may always pass them, and not listed. */
  readonly without?: readonly CommonFlag[];
  readonly examples: readonly Example[];
  /** It changes nothing, so Ctrl-C ends it at once. The others end by themselves when told to. */
  readonly harmless?: true;
  /** It says itself what is wrong with the directory. */
  readonly anyDirectory?: true;
  /** It does nothing by itself: one of those below must follow. */
  readonly group?: true;
  readonly below?: readonly Usage[];
}
