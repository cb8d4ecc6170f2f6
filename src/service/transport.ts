// How calls leave.
export { outsideCalls } from "./http/outside-calls.ts";
export type {
  AnswerHeaders,
  Method,
  Timeouts,
  Transport,
  TransportCall,
  TransportFault,
  TransportOutcome,
  TransportResponse,
} from "./http/transport.ts";
export { type UndiciTransportOptions, undiciTransport } from "./http/undici-transport.ts";
