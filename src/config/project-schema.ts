import * as z from "zod";
import { brand } from "../kinds/brand.ts";
import { event } from "../kinds/event.ts";
import { riskCodes } from "../kinds/index.ts";
import { performer } from "../kinds/performer.ts";
import { schedule } from "../kinds/schedule.ts";
import { ticket } from "../kinds/ticket.ts";

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

const entryDefaults = {
  tickets: ticket.schema
    .omit({ id: true, name: true, renamedFrom: true })
    .meta({
      title: "Ticket type defaults",
      description: "Defaults of each ticket type.",
      examples: [{ maximumPurchaseQuantity: 6 }],
    })
    .optional(),
  performers: performer.schema
    .omit({ name: true })
    .meta({ title: "Performer defaults", description: "Defaults of each performer.", examples: [{ type: "DJ" }] })
    .optional(),
  schedules: schedule.schema
    .omit({ title: true })
    .meta({
      title: "Schedule defaults",
      description: "Defaults of each schedule entry.",
      examples: [{ color: "#FF8800" }],
    })
    .optional(),
  brands: brand.schema
    .omit({ name: true })
    .meta({
      title: "Brand defaults",
      description: "Defaults of each brand.",
      examples: [{ url: "https://example.com" }],
    })
    .optional(),
};

const defaults = event.schema
  .omit({ key: true, id: true, new: true, renamedFrom: true })
  .extend(entryDefaults)
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
