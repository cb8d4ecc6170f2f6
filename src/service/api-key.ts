// A key is checked before a header is built of it: a line break in it could smuggle a second header in.
import { type Problem, problemOf } from "./problem.ts";

const printable = /^[\x21-\x7e]+$/;

/** Never says a character of the key. */
export function checkApiKey(key: string): Problem | null {
  if (key === "") {
    return problemOf(
      "not-sent",
      "bad-key",
      "The API key is empty.",
      "Set the variable that holds the key of your organization.",
    );
  }
  if (printable.test(key)) return null;
  return problemOf(
    "not-sent",
    "bad-key",
    "The API key holds a space, a line break or a letter that no key has.",
    "Copy the key again from the organizer dashboard (Settings, API Keys), without quotes or line breaks.",
  );
}
