// Part of the bundles: loads another of them, with what V8 made of it at build time where that fits this V8.
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

const folder = typeof __dirname === "string" ? __dirname : dirname(fileURLToPath(import.meta.url));

export function loadBundle(name) {
  const known = loadedBundles();
  const before = known.get(name);
  if (before !== undefined) return before.exports;
  const file = join(folder, name);
  const cacheFile = `${file}.cache`;
  const require = module.createRequire(file);
  if (!existsSync(cacheFile)) {
    // Later releases of Node keep a cache of their own.
    module.enableCompileCache?.();
    return require(file);
  }
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  const cachedData = unsealCache(readFileSync(cacheFile));
  const script = new Script(source, { filename: file, ...(cachedData === null ? {} : { cachedData }) });
  const loaded = { exports: {}, script, file };
  known.set(name, loaded);
  script.runInThisContext()(loaded.exports, require, loaded, file, folder);
  return loaded.exports;
}

/** V8 runs what it is handed without a check: a damaged cache is a crash. So a checksum follows it. */
export function sealCache(data) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(data));
  return Buffer.concat([data, sum]);
}

/** null where it is damaged or cut off; then the bundle is compiled as usual. */
function unsealCache(sealed) {
  if (sealed.length <= 4) return null;
  const data = sealed.subarray(0, -4);
  return crc32(data) === sealed.readUInt32LE(sealed.length - 4) ? data : null;
}

/** One list for all bundles of the process. */
export function loadedBundles() {
  const key = Symbol.for("ticketing.bundles");
  globalThis[key] ??= new Map();
  return globalThis[key];
}
