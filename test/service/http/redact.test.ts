import { describe, expect, it } from "vitest";
import { redact } from "../../../src/service/http/redact.ts";

describe("what is taken out of text", () => {
  it.each([
    ["the key tk_live_1 here", ["tk_live_1"], "the key *** here"],
    ["twice tk_live_1 tk_live_1", ["tk_live_1"], "twice *** ***"],
    ["encoded a%2Bb%3D%3D", ["a+b=="], "encoded ***"],
    ["see https://u:p@x.example/a?token=1#top.", [], "see https://***@x.example/a?***#top."],
    ["see https://x.example/a?b", [], "see https://x.example/a?***"],
    ["see https://x.example/a", [], "see https://x.example/a"],
    ["(http://a:b@proxy.example:80)", [], "(http://***@proxy.example:80)"],
    ["a?b://", [], "a?b://"],
    ["the API key", ["", "key"], "the API key"],
  ])("%s", (text, secrets, expected) => {
    expect(redact(text, secrets)).toBe(expected);
  });
});
