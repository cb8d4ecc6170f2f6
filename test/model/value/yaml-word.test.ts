// A text that people copy into a file means the same text there.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { yamlWord } from "../../../src/model/value.ts";

test.each(["Palace", "Théâtre d’Été", "Rock & Roll (live)"])("%s is written as it is", (text) => {
  expect(yamlWord(text)).toBe(text);
});

test.each(["1900", "yes", "on", "Null", "Hall, East", "Bar: Upstairs", "a #1", "- x", " x", '"x"', ""])(
  "%s is quoted, and read as the text that it is, also within braces",
  (text) => {
    expect(yamlWord(text)).toBe(JSON.stringify(text));
    expect(parse(`{ name: ${yamlWord(text)}, city: Manila }`)).toEqual({ name: text, city: "Manila" });
  },
);
