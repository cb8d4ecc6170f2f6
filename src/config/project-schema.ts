import * as z from "zod";
import { childKinds, kindOf, riskCodes } from "../kinds/index.ts";

const name = z.string().min(1);

const globs = z.union([name, z.array(name)]);

const vars = z.record(name, z.union([z.string(), z.number(), z.boolean()]));

const organization = name.meta({
  description: "The slug of your organization. The key must belong to it, or nothing is read or written.",
  examples: ["acme-live"],
});

const environment = z
  .strictObject({
    baseUrl: name
      .meta({
        description: "The address of the service: https, ending in /open-api/v1.",
        examples: ["https://api.example.com/open-api/v1"],
      })
      .optional(),
    apiKeyEnv: name
      .meta({
        description: "The NAME of the environment variable that holds the API key. Never the key itself.",
        examples: ["TICKETING_API_KEY"],
      })
      .optional(),
    organization: organization
      .meta({ description: "The organization in this environment, where it is another one.", examples: ["acme-test"] })
      .optional(),
    vars: vars
      .meta({
        description: "Vars of this environment; they win over those above.",
        examples: [{ hooksHost: "hooks.acme.example" }],
      })
      .optional(),
  })
  .meta({
    description: "A place to apply the project to.",
    examples: [{ baseUrl: "https://api.example.com/open-api/v1", apiKeyEnv: "TICKETING_API_KEY" }],
  });

/** The defaults of each entry of a list; what tells entries apart has no default. */
const entryDefaults = childKinds("event").map(({ plural, words, schema, identity, defaultsExample = {} }) => [
  plural,
  withoutFields(schema, [identity.label, "id", "renamedFrom"])
    .meta({
      title: `${schema.meta()?.title} defaults`,
      description: `Defaults of each ${words.one}.`,
      examples: [defaultsExample],
    })
    .optional(),
]);

function withoutFields(schema: z.ZodObject, fields: readonly string[]): z.ZodObject {
  const shape = Object.entries(schema.shape).filter(([field]) => !fields.includes(field));
  return z.strictObject(Object.fromEntries(shape));
}

const defaults = withoutFields(kindOf("event").schema, ["key", "id", "new", "renamedFrom"])
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
  path: name
    .meta({ description: "For a file sink: the file, within the project.", examples: [".ticketing/secrets.json"] })
    .optional(),
  command: z
    .array(name)
    .min(1)
    .meta({
      description:
        "For a command sink: the command and its arguments; {secretName} stands for the webhook's `secretName`.",
      examples: [["gh", "secret", "set", "{secretName}"]],
    })
    .optional(),
});

const state = z.strictObject({
  backend: z
    .enum(["file", "none"])
    .meta({ description: "Where it is kept what was applied last.", examples: ["file"] }),
});

/** ticketing.yaml */
export const projectSchema = z
  .strictObject({
    version: z
      .literal(1)
      .meta({ description: "The version of this file's form.", examples: [1] })
      .optional(),
    organization: organization.optional(),
    events: globs
      .meta({ description: "Which files hold events: a glob or a list of them.", examples: ["events/**/*.{yaml,yml}"] })
      .optional(),
    webhooks: globs
      .meta({ description: "Which files hold webhooks: a glob or a list of them.", examples: ["webhooks.{yaml,yml}"] })
      .optional(),
    defaultEnvironment: name
      .meta({ description: "The environment that is used where none is named.", examples: ["sandbox"] })
      .optional(),
    environments: z
      .record(name, environment)
      .meta({
        description: "Where the project can be applied. `sandbox`, the embedded service, always exists.",
        examples: [{ production: { baseUrl: "https://api.example.com/open-api/v1", apiKeyEnv: "TICKETING_API_KEY" } }],
      })
      .optional(),
    defaults: defaults.optional(),
    vars: vars
      .meta({
        description: "Values that texts can name as ${var.NAME}.",
        examples: [{ hooksHost: "hooks.dev.example" }],
      })
      .optional(),
    allow: z
      .array(z.enum(riskCodes))
      .meta({ description: "Risks accepted for the whole project.", examples: [["price-change-with-sales"]] })
      .optional(),
    maxDeletes: z
      .int()
      .min(0)
      .meta({ description: "The most events that one apply may delete.", examples: [5] })
      .optional(),
    secrets: secrets
      .meta({
        description: "Where the secrets of new webhooks go: they are shown only once.",
        examples: [{ sink: "file", path: ".ticketing/secrets.json" }],
      })
      .optional(),
    state: state.meta({ description: "The state store.", examples: [{ backend: "file" }] }).optional(),
  })
  .meta({ title: "Project", description: "The project file: environments, defaults and rules for all events." });
