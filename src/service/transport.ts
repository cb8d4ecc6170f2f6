// How calls leave.
export type {
  Method,
  ResponseHeaders,
  Timeouts,
  Transport,
  TransportCall,
  TransportFault,
  TransportOutcome,
  TransportResponse,
} from "./http/transport.ts";
export { outsideCalls, type UndiciTransportOptions, undiciTransport } from "./http/undici-transport.ts";
