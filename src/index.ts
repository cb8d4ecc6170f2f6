// The library's public API.

export type {
  CallNote,
  Listener,
  ResponseNote,
  RetryLimits,
  RetryNote,
  WaitNote,
  WaitReason,
} from "./service/calls.ts";
export type { ClientOptions, EventFilter, OrderFilter, RequestOptions } from "./service/client.ts";
export { TicketingClient } from "./service/client.ts";
export type { Clock } from "./service/clock.ts";
export type { LedgerChange, LedgerData, LedgerStore, Limits, Span, Tier, WindowLimit } from "./service/pace.ts";
export type { PageOptions, Query } from "./service/paging.ts";
export type {
  Failure,
  OwnCode,
  PageMeta,
  Problem,
  ProblemClass,
  ProblemDetail,
  Result,
  Success,
} from "./service/problem.ts";
export type * from "./service/records.ts";
export type {
  Method,
  ResponseHeaders,
  Timeouts,
  Transport,
  TransportCall,
  TransportFault,
  TransportOutcome,
  TransportResponse,
} from "./service/transport.ts";
export { type UndiciTransportOptions, undiciTransport } from "./service/transport.ts";
