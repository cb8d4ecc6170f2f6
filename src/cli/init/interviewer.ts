// Somebody who can be asked.

export interface Question {
  readonly message: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** What is wrong with an answer; undefined where nothing is. */
  readonly check?: (text: string) => string | undefined;
}

/** An answer is null where the person does not want to go on. */
export interface Interviewer {
  begin(title: string): void;
  text(question: Question): Promise<string | null>;
  confirm(message: string, initial: boolean): Promise<boolean | null>;
  say(message: string): void;
  warn(message: string): void;
  end(message: string): void;
}
