// A command for secrets: keeps what it is given in a file, and can kill the program that calls it before or after that.
import { readFileSync, writeFileSync } from "node:fs";

const secret = readFileSync(0, "utf8");
const { DIE_SINK: moment } = process.env;
if (moment === "before") process.kill(process.ppid, "SIGKILL");
else writeFileSync(`kept-${process.argv[2]}.txt`, secret);
if (moment === "after") process.kill(process.ppid, "SIGKILL");
