// The project file, with its defaults filled in.

export interface EnvironmentSettings {
  /** null: the embedded sandbox. */
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string;
  readonly organization: string | null;
  readonly vars: Readonly<Record<string, string | number | boolean>>;
}

export type SecretSink =
  | { readonly sink: "file"; readonly path: string }
  | { readonly sink: "command"; readonly command: readonly string[] };

export interface Settings {
  readonly version: 1;
  readonly organization: string | null;
  readonly events: readonly string[];
  readonly webhooks: readonly string[];
  readonly defaultEnvironment: string | null;
  readonly environments: Readonly<Record<string, EnvironmentSettings>>;
  readonly vars: Readonly<Record<string, string | number | boolean>>;
  readonly allow: readonly string[];
  readonly maxDeletes: number;
  /** null: none configured; the sandbox then uses the file sink. */
  readonly secrets: SecretSink | null;
  readonly state: { readonly backend: "file" | "none" };
}
