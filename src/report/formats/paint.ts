// Colours of the terminal. They repeat what symbols and words say; nothing is told by colour alone.
import pc from "picocolors";
import type { Mark } from "../plan-view/view.ts";
import type { Span } from "../text/line.ts";

export type Tone = Span["role"] | "create" | "change" | "delete" | "replace" | "blocked" | "heading" | "warning";

/** Text with its tone, before it is laid out in lines. */
export interface Tinted {
  readonly text: string;
  readonly tone: Tone;
}

export type Paint = (pieces: readonly Tinted[]) => string;

export function makePaint(color: boolean): Paint {
  const colors = pc.createColors(color);
  const paints: Readonly<Record<Tone, (text: string) => string>> = {
    word: String,
    prose: String,
    value: String,
    quiet: colors.dim,
    name: colors.bold,
    heading: colors.bold,
    before: colors.red,
    after: colors.green,
    create: colors.green,
    change: colors.yellow,
    delete: colors.red,
    replace: colors.cyan,
    blocked: (text) => colors.bold(colors.red(text)),
    warning: colors.yellow,
  };
  return (pieces) => pieces.map((piece) => paints[piece.tone](piece.text)).join("");
}

const toneOfMark: Readonly<Record<Mark, Tone>> = {
  "+": "create",
  "~": "change",
  "-": "delete",
  "±": "replace",
  "!": "blocked",
};

export function markTone(mark: Mark): Tone {
  return toneOfMark[mark];
}
