// The built program on a machine whose time passes SPEED times as fast: a minute of the rate limit takes seconds.
const speed = Number(process.env.SPEED);
const { setTimeout: realTimeout } = globalThis;
const realNow = performance.now.bind(performance);
const realDate = Date.now.bind(Date);
const began = Number(process.env.BEGAN);
// Both clocks show the time that has passed since the test began.
const offset = began + (realDate() - began) * speed - performance.timeOrigin - realNow() * speed;
performance.now = () => realNow() * speed + offset;
Date.now = () => began + (realDate() - began) * speed;
globalThis.setTimeout = (work, ms, ...more) => realTimeout(work, (ms ?? 0) / speed, ...more);

const { run } = await import("../../dist/main.cjs");
process.exit(await run());
