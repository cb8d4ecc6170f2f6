// The library's face.
export { TicketingClient } from "./service/client.ts";
export type { ClientOptions } from "./service/client-options.ts";
export type { Clock } from "./service/clock.ts";
export type { RequestOptions } from "./service/endpoints/caller.ts";
export type { EventFilter } from "./service/endpoints/events.ts";
export type { OrderFilter } from "./service/endpoints/orders.ts";
export { fetchTransport } from "./service/fetch-transport.ts";
export type {
  BrandFields,
  EventFields,
  EventStatus,
  OrderStatus,
  PageQuery,
  PerformerFields,
  ScheduleFields,
  TicketFields,
  WebhookFields,
} from "./service/fields.ts";
export type { AnswerNote, CallNote, Listener, RetryNote, WaitNote, WaitReason } from "./service/listener.ts";
export type { LedgerData, LedgerStore } from "./service/pace/ledger-store.ts";
export type { Limits, WindowLimit } from "./service/pace/limits.ts";
export type { Span, Tier } from "./service/pace/tier.ts";
export type { PageOptions } from "./service/pages.ts";
export type { Query } from "./service/path.ts";
export type { OwnCode, Problem, ProblemClass, ProblemDetail } from "./service/problem.ts";
export type {
  BrandRecord,
  DeliveryRecord,
  EventRecord,
  LiveRecord,
  Me,
  OrderRecord,
  PerformerRecord,
  ScheduleRecord,
  TicketRecord,
  VenueRecord,
  WebhookRecord,
} from "./service/records.ts";
export type { Failure, PageMeta, Result, Success } from "./service/result.ts";
export type { RetryLimits } from "./service/retry.ts";
export type {
  AnswerHeaders,
  Method,
  Timeouts,
  Transport,
  TransportAnswer,
  TransportCall,
  TransportFault,
  TransportOutcome,
} from "./service/transport.ts";
export { type UndiciTransportOptions, undiciTransport } from "./service/undici-transport.ts";
