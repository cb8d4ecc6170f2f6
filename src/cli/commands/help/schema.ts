import type { CommonOptions, World } from "../../../app/world.ts";
import { schemaText } from "../../../config/document-schemas.ts";
import type { schemaNames } from "../../usage/files.ts";

export interface SchemaOptions extends CommonOptions {
  readonly schema?: (typeof schemaNames)[number];
}

/** Prints a JSON Schema: the same bytes as the file in schemas/. */
export async function runSchema(world: World, options: SchemaOptions): Promise<number> {
  world.stdout.write(schemaText(options.schema ?? "event"));
  return 0;
}
