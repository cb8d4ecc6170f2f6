import type { Usage } from "../usage.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export const completion: Usage = {
  name: "completion",
  summary: "complete commands and flags in your shell",
  details: "Prints a script for the shell to read.",
  parameters: [{ name: "shell", description: "the shell you use", need: "required", choices: shells }],
  harmless: true,
  formats: ["text"],
  without: ["directory", "env", "base-url", "no-color", "verbose", "format"],
  examples: [
    { line: 'eval "$(ticketing completion bash)"', does: "in ~/.bashrc" },
    { line: 'eval "$(ticketing completion zsh)"', does: "in ~/.zshrc, after compinit" },
    { line: "ticketing completion fish | source", does: "in ~/.config/fish/config.fish" },
  ],
};
