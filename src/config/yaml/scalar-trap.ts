import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import type { ScalarValue } from "./located.ts";

const switchWord = /^(?:yes|no|on|off)$/i;
const leadingZero = /^[-+]?0\d/;
const otherBase = /^0[xo]/;
const colorComment = /^\s*(#[0-9a-f]{3,8})\b/i;

/** Words that look harmless without quotes and mean something else to YAML, or to other parsers of it. */
export function scalarTrap(
  value: ScalarValue,
  raw: string,
  restOfLine: () => string,
  source: Source,
): Diagnostic | null {
  if (typeof value === "string") {
    if (value.length > 3 || !switchWord.test(value)) return null;
    const meaning = /^(?:yes|on)$/i.test(value);
    return trap(
      source,
      `Some YAML parsers read \`${value}\` without quotes as text, others as ${meaning}.`,
      `Write ${meaning} if it is a switch, or "${value}" if it is text.`,
    );
  }
  if (typeof value === "number") {
    if (leadingZero.test(raw)) {
      return trap(
        source,
        `\`${raw}\` starts with a zero, which YAML parsers read differently.`,
        `Write ${value} if it is a number, or "${raw}" in quotes if the zeros are part of it.`,
      );
    }
    if (otherBase.test(raw)) {
      return trap(source, `YAML reads \`${raw}\` as ${value}.`, `Write ${value}, or "${raw}" in quotes if it is text.`);
    }
    if (!isExact(value, raw)) {
      return trap(
        source,
        value === 0
          ? `\`${raw}\` is too small and would be read as 0.`
          : `\`${raw}\` has too many digits and would be read as ${value}.`,
        `Write ${Math.abs(value)} if that is the number, or a shorter one.`,
      );
    }
    return null;
  }
  if (value !== null || raw !== "") return null;
  const color = colorComment.exec(restOfLine())?.[1];
  if (color === undefined) return null;
  return trap(source, `\`${color}\` is not read: without quotes, # starts a comment.`, `Put it in quotes: "${color}".`);
}

/** Whether a whole number is the one that is written: `1e-400` is read as 0. Others are reported where a whole one is expected. */
function isExact(value: number, raw: string): boolean {
  if (!Number.isSafeInteger(value)) return true;
  const [, whole = "", fraction = "", exponent = "0"] = /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(raw) ?? [];
  const written = `${whole}${fraction}`.replace(/^0+/, "");
  let end = written.length;
  while (written.charAt(end - 1) === "0") end -= 1;
  const zeros = Number(exponent) - fraction.length + written.length - end;
  if (end === 0) return true;
  return zeros >= 0 && zeros < 17 && written.slice(0, end) + "0".repeat(zeros) === String(Math.abs(value));
}

function trap(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("yaml-trap", source, message, hint);
}
