import * as z from "zod";
import { childKinds, choice, described, kindOf, projectAllowField, schemaWithout } from "../kinds/index.ts";
import { bucketStoreAddress, stateServerAddress } from "../model/outside.ts";

const name = z.string().min(1);
const globs = z.union([name, z.array(name)]);
const vars = z.record(name, z.union([z.string(), z.number(), z.boolean()]));

/** A setting that may be left out, with what editors show about it. */
function setting<Schema extends z.ZodType>(schema: Schema, description: string, example: unknown) {
  return described(schema.optional(), { description, examples: [example] });
}

const exampleUrl = "https://api.example.com/open-api/v1";

const environment = z
  .strictObject({
    baseUrl: setting(name, "The https URL of the service, ending in /open-api/v1.", exampleUrl),
    apiKeyEnv: setting(
      name,
      "The *name* of the environment variable that contains the API key. Never the key itself.",
      "TICKETING_API_KEY",
    ),
    organization: setting(
      name,
      "The slug of the organization in this environment, if it differs from the project's.",
      "acme-test",
    ),
    vars: setting(vars, "Values of this environment for `${var.NAME}` in text; they override the project's.", {
      hooksHost: "hooks.acme.example",
    }),
  })
  .meta({
    description: "A service that the project can be applied to.",
    examples: [{ baseUrl: exampleUrl, apiKeyEnv: "TICKETING_API_KEY" }],
  });

/** The defaults of each entry of a list; what distinguishes entries has no default. */
const entryDefaults = childKinds("event").map(({ plural, words, schema, identity, defaultsExample = {} }) => [
  plural,
  schemaWithout(schema, [identity.label, "id", "renamedFrom", "remove"])
    .meta({
      title: `${schema.meta()?.title} defaults`,
      description: `Defaults of each ${words.one}.`,
      examples: [defaultsExample],
    })
    .optional(),
]);

const event = kindOf("event");
const defaults = schemaWithout(event.schema, [...(event.documentOnly ?? []), "extends", "without", "vars"])
  .extend(Object.fromEntries(entryDefaults))
  .meta({
    title: "Defaults",
    description:
      "Fields that every event gets unless it or one of its templates sets them. Under `tickets`, `performers`, `schedules` and `brands`, write fields that every entry gets, not a list of entries.",
    examples: [{ timezone: "Asia/Manila", tickets: { maximumPurchaseQuantity: 6 } }],
  });

const secrets = z.strictObject({
  sink: choice(
    {
      file: "In a file that git ignores; for use on one machine.",
      command: "Passed to the standard input of a command, such as a secret store's; for CI.",
    },
    "Where the secret of a new webhook is stored.",
    "file",
  ),
  path: setting(name, "For `sink: file`: the file, within the project and ignored by git.", ".ticketing/secrets.json"),
  command: setting(
    z.array(name).min(1),
    "For `sink: command`: the command and its arguments; it receives the secret on standard input. `{secretName}` stands for the webhook's `secretName`, `{environment}` for the environment's name.",
    ["gh", "secret", "set", "{secretName}"],
  ),
});

const review = z.strictObject({
  unreviewed: choice(
    {
      hold: "They are held until a reviewed plan lists them.",
      apply: "They are sent.",
      stop: "Nothing at all is applied.",
    },
    "What happens to changes that no reviewed plan has shown. By default `hold`.",
    "hold",
  ),
});

export const backendSettings = {
  git: {
    remote: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, { error: "must be the name of a git remote" })
      .meta({
        patternErrorMessage: "Write the name of a git remote, such as origin.",
        description: "For `backend: git`: the remote that has the ref. By default origin.",
        examples: ["origin"],
      })
      .optional(),
    ref: z
      .string()
      // The rules of `git check-ref-format`.
      .regex(/^refs\/ticketing(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[./]$))\/[^\s~^:?*[\\\x7f]+$/, {
        error: "must be a ref that begins with refs/ticketing/",
      })
      .meta({
        patternErrorMessage:
          "Write a ref that begins with refs/ticketing/, such as refs/ticketing/club/production. It must not contain `..`, a space or any of ~ ^ : ? * [ \\, and no part of it may begin with a dot or end in .lock.",
        description: "For `backend: git`: the ref, instead of `refs/ticketing/<project>/<environment>`.",
        examples: ["refs/ticketing/club/production"],
      })
      .optional(),
  },
  postgres: {
    schema: z
      .string()
      .regex(/^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/, {
        error: "must be the name of a schema in lower case, and none of PostgreSQL's own",
      })
      .meta({
        patternErrorMessage:
          "Write the name of a schema in lower case, such as ticketing; pg_… and information_schema are PostgreSQL's own.",
        description:
          "For `backend: postgres`: the schema that contains the tables. It is created when it is first needed. By default ticketing.",
        examples: ["ticketing"],
      })
      .optional(),
    project: setting(
      name,
      "For `backend: postgres`: the project's name in the database. By default the URL of its repository and the project's folder in it, such as github.com/acme/events//clubs.",
      "festival",
    ),
  },
  http: {
    address: setting(
      name,
      "For `backend: http`: the URL of the state, such as GitLab's `…/api/v4/projects/ID/terraform/state/NAME`. `{environment}` stands for the environment's name. Credentials come from TICKETING_STATE_USERNAME and TICKETING_STATE_PASSWORD, or from the GitLab job's own token.",
      stateServerAddress.example,
    ),
    lockAddress: setting(
      name,
      "For `backend: http`: the URL that locks the state, on the same host. By default `address` itself; on GitLab, `address` followed by `/lock`.",
      `${stateServerAddress.example}/lock`,
    ),
    lockMethod: choice(
      { LOCK: "Terraform's default.", POST: "For GitLab.", PUT: "For some other servers." },
      "For `backend: http`: the HTTP method that locks the state. By default LOCK; on GitLab, POST.",
      "POST",
    ).optional(),
    unlockAddress: setting(
      name,
      "For `backend: http`: the URL that unlocks the state. By default `lockAddress`.",
      `${stateServerAddress.example}/lock`,
    ),
    unlockMethod: choice(
      { UNLOCK: "Terraform's default.", DELETE: "For GitLab.", POST: "For some servers.", PUT: "For some others." },
      "For `backend: http`: the HTTP method that unlocks the state. By default UNLOCK; on GitLab, DELETE.",
      "DELETE",
    ).optional(),
  },
  s3: {
    bucket: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/, { error: "must be the name of a bucket" })
      .meta({
        patternErrorMessage:
          "Write the name of a bucket: 3 to 63 letters, digits, dots or hyphens, such as acme-tickets.",
        description:
          "For `backend: s3`: the bucket. Credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.",
        examples: ["acme-tickets"],
      })
      .optional(),
    prefix: setting(
      name,
      "For `backend: s3`: the prefix of all object names. By default the URL of the repository and the project's folder in it, such as github.com/acme/events//clubs.",
      "festival",
    ),
    region: setting(
      name,
      "For `backend: s3`: the region of the bucket. By default AWS_REGION or AWS_DEFAULT_REGION.",
      "eu-central-1",
    ),
    endpoint: setting(
      name,
      "For `backend: s3`: the URL of the store. By default that of AWS for the region.",
      bucketStoreAddress.example,
    ),
    pathStyle: setting(
      z.boolean(),
      "For `backend: s3`: whether the bucket is in the URL's path rather than in its host name. By default true if there is an `endpoint`.",
      false,
    ),
  },
};

const state = z.strictObject({
  backend: choice(
    {
      file: "In a file below .ticketing/, on this machine.",
      none: "Nothing is kept: every run looks everything up.",
      git: "In a ref (a named pointer, like a branch) of the repository's remote, for CI.",
      postgres: "In a PostgreSQL database that environment variables name, for teams.",
      http: "On a server that speaks Terraform's HTTP state protocol, such as GitLab.",
      s3: "In a bucket of a store that speaks S3, such as AWS or Ceph.",
    },
    "Where the record of what was applied is kept. By default `file`.",
    "git",
  ),
  ...backendSettings.git,
  ...backendSettings.postgres,
  ...backendSettings.http,
  ...backendSettings.s3,
});

export const projectSchema = z
  .strictObject({
    version: setting(z.literal(1), "The version of this file's format: 1.", 1),
    organization: setting(
      name,
      "The slug of your organization. The API key must belong to it, or nothing is read or written.",
      "acme-live",
    ),
    events: setting(
      globs,
      "Which files contain events: a file pattern (glob), or a list of them.",
      "events/**/*.{yaml,yml}",
    ),
    templates: setting(
      globs,
      "Which files contain templates: a file pattern (glob), or a list of them. A template's name is its path below the folder that the pattern begins with, without the extension.",
      "templates/**/*.{yaml,yml}",
    ),
    webhooks: setting(
      globs,
      "Which files contain webhooks: a file pattern (glob), or a list of them.",
      "webhooks.{yaml,yml}",
    ),
    defaultEnvironment: setting(
      name,
      "The environment that commands use without `--env`. With `sandbox`, commands use a live service only if you name its environment.",
      "sandbox",
    ),
    environments: setting(
      z.record(name, environment),
      "Where the project can be applied. `sandbox`, the embedded service, always exists.",
      { production: { baseUrl: exampleUrl, apiKeyEnv: "TICKETING_API_KEY" } },
    ),
    defaults: defaults.optional(),
    vars: setting(vars, "Values for `${var.NAME}` in text, such as a host name that differs by environment.", {
      hooksHost: "hooks.dev.example",
    }),
    allow: projectAllowField.optional(),
    maxDeletes: setting(
      z.int().min(0),
      "The maximum number of events that one apply can delete; more are blocked (`too-many-deletes`). By default 5. To delete three or more that are over half of the project's events, pass --max-deletes.",
      5,
    ),
    review: setting(review, "What an apply in CI does with changes that were not reviewed.", { unreviewed: "hold" }),
    secrets: setting(secrets, "Where the secrets of new webhooks are stored: the service shows them only once.", {
      sink: "file",
      path: ".ticketing/secrets.json",
    }),
    state: setting(
      state,
      "Where `ticketing` remembers what it has applied. If this record is lost, runs are slower and some changes cannot be recognized.",
      { backend: "file" },
    ),
  })
  .meta({ title: "Project", description: "The project file: environments, defaults and limits for all events." });
