import { InvalidArgumentError } from "commander";
import type { Flag, Parameter } from "./usage.ts";

type Takes = NonNullable<Flag["takes"]> | Parameter["takes"];

/** The value that a flag or parameter was given, checked. The message goes on after "… is invalid." */
export function readFlagValue(takes: Takes, text: string): string | number {
  switch (takes) {
    case "whole":
      return wholeFrom(0, text);
    case "positive":
      return wholeFrom(1, text);
    case "port":
      return portFrom(1, text);
    case "port-or-any":
      return portFrom(0, text);
    case "seconds": {
      const seconds = Number(text);
      if (text.trim() === "" || !Number.isFinite(seconds) || seconds < 0) {
        throw new InvalidArgumentError("It is a number of seconds, 0 or more.");
      }
      return seconds;
    }
    default:
      if (text === "") throw new InvalidArgumentError("It is empty.");
      return text;
  }
}

function portFrom(minimum: number, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < minimum || port > 65_535) {
    const any = minimum === 0 ? ", or 0 for any that is free" : "";
    throw new InvalidArgumentError(`A port is a whole number from 1 to 65535${any}.`);
  }
  return port;
}

function wholeFrom(minimum: number, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < minimum) {
    throw new InvalidArgumentError(`It is a whole number, ${minimum} or more.`);
  }
  return number;
}
