// The live side of full-plan.ts: so many events with everything below them, in a separate process.
import { startSandbox } from "../../src/sandbox/index.ts";
import { nightOf } from "./night-project.ts";

const count = Number(process.argv[2]);
/** How long each response takes on its way. */
const latencyMs = Number(process.argv[3] ?? 0);
const sandbox = await startSandbox();
if (latencyMs > 0) sandbox.control.addFault({ kind: "slow", delayMs: latencyMs, times: 1_000_000 });
sandbox.control.seed({
  events: Array.from({ length: count }, (_, index) => ({
    name: `Night ${index}`,
    dateTime: `${nightOf(index).day}T11:00:00.000Z`,
    description: "A night out in the city, with three rooms and a terrace.",
    endDateTime: `${nightOf(index).day}T17:00:00.000Z`,
    locationType: "ONLINE" as const,
    imageUrl: "https://images.example/night.jpg",
    slug: `night-${index}`,
    status: "PUBLISHED" as const,
    tickets: [
      { name: "GA", price: 1500, quantity: 100, remainingQuantity: 100, published: true },
      { name: "VIP", price: 4500, quantity: 20, remainingQuantity: 20, published: true },
    ],
    performers: [{ name: "Ana", type: "DJ" }],
    schedules: [
      {
        title: "Set",
        startTime: `${nightOf(index).day}T11:00:00.000Z`,
        endTime: `${nightOf(index).day}T12:00:00.000Z`,
        performer: "Ana",
      },
    ],
    brands: [{ name: "Acme", url: "https://acme.example" }],
  })),
});
// The sandbox keeps the younger calls of a long run: they are taken from it in time.
let calls: string[] = [];
function takeCalls(): void {
  for (const { method, path } of sandbox.control.calls()) calls.push(`${method} ${path}`);
  sandbox.control.clearCalls();
}
setInterval(takeCalls, 500);
process.on("message", () => {
  takeCalls();
  process.send?.(calls);
  calls = [];
});
process.send?.({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
