// Random tests take the same walk every time, so that a failure belongs to the change that it meets. SEED=random takes another.
import fc from "fast-check";

const { SEED } = process.env;
if (SEED !== "random") fc.configureGlobal({ seed: Number(SEED ?? 20_261_115) });
