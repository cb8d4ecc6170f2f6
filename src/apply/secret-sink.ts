// Where the secret of a webhook goes: it is shown once, so it must be safe before anything else happens.

export interface Secret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** The name for a command; null where the webhook has none. */
  readonly name: string | null;
}

export interface SecretSink {
  /** Whether the secret of this webhook is safe; null where the sink cannot tell. */
  holds(id: string): Promise<boolean | null>;
  /** Ends once the secret is safe; otherwise says in one sentence why it is not. Never says the secret. */
  put(secret: Secret): Promise<string | null>;
}
