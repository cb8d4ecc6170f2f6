// What the endpoint groups need of the client.

import type { Method } from "../http/transport.ts";
import type { PageOptions, Query } from "../paging.ts";
import type { Result } from "../problem.ts";

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
}

export interface Caller {
  request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown>>;
  listAll(path: string, query?: Query, options?: PageOptions): Promise<Result<readonly unknown[]>>;
}
