import type { Problem, ProblemDetail } from "./problem.ts";

/** What the details say beyond the message, each with its field; a service may say the same in both. */
export function detailWords({ message, details }: Problem): readonly string[] {
  const said = plain(message);
  const words = details
    .filter((each) => !(said.includes(plain(each.message)) && said.includes(plain(each.field))))
    .map(withField);
  return [...new Set(words)];
}

function withField({ field, message }: ProblemDetail): string {
  const named = field === "" || plain(message).startsWith(plain(field));
  return named ? message : `${field}: ${message}`;
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/(?<![.!])[.!]+$/, "");
}
