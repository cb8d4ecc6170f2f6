/** A place in a file: the path as the user knows it (relative to the project, with `/`), line and column counted from 1. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
