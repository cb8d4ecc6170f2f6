// How calls leave: undici in production, the global fetch in tests.
export { fetchTransport } from "./http/fetch-transport.ts";
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
