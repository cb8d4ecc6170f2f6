// The sandbox that sandbox-throughput.ts measures: fifty events with their children, on a free port, in memory.
import { startSandbox } from "../../src/sandbox/index.ts";

const sandbox = await startSandbox();
const { events } = sandbox.control.seed({
  events: Array.from({ length: 50 }, (_, n) => ({
    name: `Event ${n}`,
    description: "A night out in the city, with three rooms and a terrace.",
    tickets: [{ name: "GA" }, { name: "VIP" }],
    performers: [{ name: "DJ" }],
    schedules: [{ title: "Doors" }, { title: "Set", performer: "DJ" }],
    brands: [{ name: "Cola" }],
  })),
});
// What a plan reads: pages of the list, then each event with its children.
const paths = events.flatMap(({ id }) => [
  `/events/${id}`,
  `/events/${id}/tickets`,
  `/events/${id}/performers`,
  `/events/${id}/schedules`,
  `/events/${id}/brands`,
]);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
process.send?.({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, paths: ["/me", "/events?take=10", ...paths] });
