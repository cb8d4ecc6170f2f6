// Random wishes, random live organizations, random faults, one after another. The seed of a failure is printed with it.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Seed } from "../../src/sandbox/index.ts";
import { randomEvents, randomLists, randomWebhooks, toFiles, toSeed, toWebhookFile } from "../stage/random-project.ts";
import { type Files, openTheater, type Theater } from "../stage/theater.ts";
import { acts } from "./acts.ts";
import { damageOf, pictureOf } from "./picture.ts";

const numRuns = Number(process.env.FAULT_RUNS ?? 2000);

const seed = Number(process.env.FAULT_SEED ?? fc.readConfigureGlobal().seed ?? Date.now());

const profiles = fc.constantFrom(
  "likely",
  "hostile",
  "minimal",
  "lax",
  "inlineOnFault=some",
  "search=broken",
  "listOrder=shuffled",
  "writeResponse=null",
);
const mishap = fc.record({ act: fc.constantFrom(...acts), at: fc.integer({ min: 1, max: 40 }) });
// Where they are not managed, nothing is said about them.
const hooks = fc.record({ wished: fc.option(randomWebhooks, { freq: 1 }), live: randomWebhooks });
const parallelism = fc.constantFrom(1, 2, 8);

interface Play {
  readonly files: Files;
  readonly live: Seed;
  readonly profile: string;
  readonly parallelism: number;
}

function open(play: Play): Theater {
  const theater = openTheater(play.profile);
  theater.service.control.seed(play.live);
  return theater;
}

test("whatever goes wrong, the runs after it put it right", async () => {
  let tried = 0;
  process.stdout.write(`seed ${seed}, ${numRuns} runs\n`);
  await fc.assert(
    fc.asyncProperty(
      randomEvents,
      randomEvents,
      randomLists,
      hooks,
      profiles,
      parallelism,
      fc.array(mishap, { minLength: 1, maxLength: 3 }),
      async (wished, live, leftOut, webhooks, profile, atOnce, mishaps) => {
        fc.pre(wished.length > 0 || webhooks.wished !== null);
        const play: Play = {
          files: {
            ...toFiles(wished, leftOut),
            ...(webhooks.wished === null ? {} : toWebhookFile(webhooks.wished)),
          },
          live: { ...toSeed(live), webhooks: webhooks.live },
          profile,
          parallelism: atOnce,
        };
        const calm = open(play);
        const ran = await calm.run(play.files, { parallelism: atOnce });
        const complete =
          ran.applied?.refusal === null && ran.applied.report.summary.done === ran.applied.report.outcomes.length;
        // What the rules forbid, or this service cannot do, is not what is looked at here.
        fc.pre(complete && (await isQuiet(calm, play)));
        tried += 1;
        const picture = pictureOf(calm.service);
        const theater = open(play);
        // Of what somebody else made, no one here has the secret.
        const foreign = secretsIn(theater);
        const story: string[] = [];
        for (const { act, at } of mishaps) {
          const { fault, ...run } = act.at(at);
          if (fault !== undefined) theater.service.control.addFault(fault);
          const { applied } = await theater.run(play.files, { parallelism: atOnce, ...run });
          story.push(
            `${act.name} at ${at}: ${applied === null ? "killed" : JSON.stringify(applied.refusal ?? applied.report.summary)}`,
          );
          for (const note of applied?.notes ?? []) story.push(`  ${note.message}`);
          await theater.service.control.settle();
          theater.service.control.clearFaults();
        }
        for (let run = 1; run <= 2; run++) {
          const { applied } = await theater.run(play.files, { parallelism: atOnce });
          story.push(`run ${run}: ${JSON.stringify(applied?.refusal ?? applied?.report.summary)}`);
          for (const outcome of applied?.report.outcomes ?? []) {
            if (outcome.result !== "done") story.push(`  ${JSON.stringify(outcome)}`);
          }
          for (const note of applied?.notes ?? []) story.push(`  ${note.message}`);
        }
        const damage = damageOf(theater.service, picture, new Map([...foreign, ...theater.disk.secrets]));
        expect(damage, story.join("\n")).toEqual({ duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0 });
        expect(await isQuiet(theater, play), story.join("\n")).toBe(true);
      },
    ),
    { numRuns, seed },
  );
  expect(tried).toBeGreaterThan(0);
}, 3_600_000);

async function isQuiet(theater: Theater, play: Play): Promise<boolean> {
  const { applied } = await theater.run(play.files);
  return applied?.refusal === null && applied.report.plan.changes.length === 0;
}

function secretsIn(theater: Theater): ReadonlyMap<string, string> {
  const rows = theater.service.dump().webhooks as unknown as readonly {
    readonly id: string;
    readonly secret: string;
  }[];
  return new Map(rows.map(({ id, secret }) => [id, secret]));
}
