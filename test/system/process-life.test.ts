import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { beganAt, isRunning } from "../../src/system/processes.ts";

test("this process runs; one with its number that began at another time does not", () => {
  const began = beganAt(process.pid);
  expect(isRunning({ pid: process.pid, began })).toBe(true);
  expect(isRunning({ pid: process.pid, began: null })).toBe(true);
  if (began !== null) expect(isRunning({ pid: process.pid, began: "1" })).toBe(false);
});

test.runIf(existsSync("/proc/self/stat"))("a killed process that no one has looked after does not run", async () => {
  // The shell turns into a program that never asks what became of the child it inherits.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = await once(createInterface(parent.stdout), "line");
  const pid = Number(line);
  // Until then the shell might look after it.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  const began = beganAt(pid);
  expect(isRunning({ pid, began })).toBe(true);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
  expect(isRunning({ pid, began })).toBe(false);
  expect(isRunning({ pid, began: null })).toBe(false);
});
