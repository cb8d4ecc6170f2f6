// How calls leave.
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
export { outsideCalls, type UndiciTransportOptions, undiciTransport } from "./http/undici-transport.ts";
