// What the endpoint groups need of the client.
import type { PageOptions } from "../pages.ts";
import type { Query } from "../path.ts";
import type { Result } from "../result.ts";
import type { Method } from "../transport.ts";

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
}

export interface Caller {
  request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown>>;
  listAll(path: string, query?: Query, options?: PageOptions): Promise<Result<readonly unknown[]>>;
}
