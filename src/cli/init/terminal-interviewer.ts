import { type Readable, Writable } from "node:stream";
import type { World } from "../../app/world.ts";
import { sanitize } from "../../report/text.ts";
import type { Interviewer } from "./answers.ts";

/** Asks on the terminal. Questions go to stderr, so that what the command prints can be piped. */
export async function terminalInterviewer(world: World): Promise<Interviewer> {
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
  return {
    begin: (title) => intro(title, { output }),
    async text({ message, placeholder, initial, check }) {
      const answer = await text({
        ...common,
        message,
        ...(placeholder === undefined ? {} : { placeholder }),
        ...(initial === undefined ? {} : { initialValue: initial }),
        validate: (value) => check?.((value ?? "").trim()),
      });
      return isCancel(answer) ? null : (answer ?? "").trim();
    },
    async confirm(message, initial) {
      const answer = await confirm({ ...common, message, initialValue: initial });
      return isCancel(answer) ? null : answer;
    },
    info: (message) => log.info(sanitize(message), { output }),
    warn: (message) => log.warn(sanitize(message), { output }),
    end: (message) => outro(message, { output }),
  };
}
