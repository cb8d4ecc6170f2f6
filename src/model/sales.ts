/** Sales of one object: `count` where it can be told, `any` where only that can, both null where neither can. */
export interface Sold {
  readonly count: number | null;
  readonly any: boolean | null;
}
