/** Whether V8 compiles WebAssembly again once it is used. Later releases may not know these flags, and would print that. */
export function setWasmTierUp(wanted, v8) {
  if (Number.parseInt(process.versions.v8, 10) > 13) return;
  for (const flag of ["wasm-tier-up", "wasm-dynamic-tiering"]) v8.setFlagsFromString(`--${wanted ? "" : "no-"}${flag}`);
}
