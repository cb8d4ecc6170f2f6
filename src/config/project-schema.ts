import * as z from "zod";
import { childKinds, kindOf, projectAllowField, schemaWithout } from "../kinds/index.ts";

const name = z.string().min(1);
const globs = z.union([name, z.array(name)]);
const vars = z.record(name, z.union([z.string(), z.number(), z.boolean()]));

/** A setting that may be left out, with what editors show about it. */
function setting<Schema extends z.ZodType>(schema: Schema, description: string, example: unknown) {
  return schema.meta({ description, examples: [example] }).optional();
}

const exampleUrl = "https://api.example.com/open-api/v1";

const environment = z
  .strictObject({
    baseUrl: setting(name, "The URL of the service: https, ending in /open-api/v1.", exampleUrl),
    apiKeyEnv: setting(
      name,
      "The NAME of the environment variable that holds the API key. Never the key itself.",
      "TICKETING_API_KEY",
    ),
    organization: setting(name, "The organization in this environment, if it is another one.", "acme-test"),
    vars: setting(vars, "Vars of this environment; they override those above.", { hooksHost: "hooks.acme.example" }),
  })
  .meta({
    description: "A place to apply the project to.",
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
    description: "Merged under every event. For lists: the defaults of each entry, not entries.",
    examples: [{ timezone: "Asia/Manila", tickets: { maximumPurchaseQuantity: 6 } }],
  });

const secrets = z.strictObject({
  sink: z
    .enum(["file", "command"])
    .meta({ description: "Where secrets go: into a file, or to a command's standard input.", examples: ["file"] }),
  path: setting(name, "For a file sink: the file, within the project.", ".ticketing/secrets.json"),
  command: setting(
    z.array(name).min(1),
    "For a command sink: the command and its arguments; {secretName} is replaced by the webhook's `secretName`.",
    ["gh", "secret", "set", "{secretName}"],
  ),
});

const review = z.strictObject({
  unreviewed: z.enum(["hold", "apply", "stop"]).meta({
    description: "hold: leave them out until they are reviewed; apply: send them; stop: apply nothing at all.",
    examples: ["hold"],
  }),
});

const state = z.strictObject({
  backend: z.enum(["file", "none", "git"]).meta({
    description: "Where the record of what was applied is kept; git: in a ref of the repository's remote.",
    examples: ["git"],
  }),
  remote: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, { error: "must be the name of a git remote" })
    .meta({ description: "For backend git: the remote that holds the ref; by default origin.", examples: ["origin"] })
    .optional(),
  ref: z
    .string()
    .regex(/^refs\/ticketing\/[^\s~^:?*[\\]+$/, { error: "must begin with refs/ticketing/" })
    .meta({
      description: "For backend git: the ref, in place of refs/ticketing/<project>/<environment>.",
      examples: ["refs/ticketing/club/production"],
    })
    .optional(),
});

/** ticketing.yaml */
export const projectSchema = z
  .strictObject({
    version: setting(z.literal(1), "The format version of this file.", 1),
    organization: setting(
      name,
      "The slug of your organization. The key must belong to it, or nothing is read or written.",
      "acme-live",
    ),
    events: setting(globs, "The files that hold events: a glob or a list of globs.", "events/**/*.{yaml,yml}"),
    templates: setting(
      globs,
      "The files that hold templates: a glob or a list of globs. A template is named by its path below the folder that the glob begins with.",
      "templates/**/*.{yaml,yml}",
    ),
    webhooks: setting(globs, "The files that hold webhooks: a glob or a list of globs.", "webhooks.{yaml,yml}"),
    defaultEnvironment: setting(name, "The environment that is used by default.", "sandbox"),
    environments: setting(
      z.record(name, environment),
      "Where the project can be applied. `sandbox`, the embedded service, always exists.",
      { production: { baseUrl: exampleUrl, apiKeyEnv: "TICKETING_API_KEY" } },
    ),
    defaults: defaults.optional(),
    vars: setting(vars, "Values that texts can use as ${var.NAME}.", { hooksHost: "hooks.dev.example" }),
    allow: projectAllowField.optional(),
    maxDeletes: setting(z.int().min(0), "The most events that one apply may delete.", 5),
    review: setting(review, "What becomes of changes that no pull request's plan has shown.", { unreviewed: "hold" }),
    secrets: setting(secrets, "Where the secrets of new webhooks go: the service shows them only once.", {
      sink: "file",
      path: ".ticketing/secrets.json",
    }),
    state: setting(state, "The state store.", { backend: "file" }),
  })
  .meta({ title: "Project", description: "The project file: environments, defaults and rules for all events." });
