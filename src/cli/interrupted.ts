/** The exit code of a command that Ctrl-C or SIGTERM has stopped. */
export const interruptedCode = 130;
