import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** Where one bundle ends and the next is loaded. */
export function boundaries(rules) {
  return {
    name: "boundaries",
    setup(setup) {
      for (const { filter, from, file } of rules) {
        setup.onResolve({ filter }, ({ importer, kind }) => {
          if (kind !== "dynamic-import" || (from !== undefined && basename(importer) !== from)) return undefined;
          return { path: file, namespace: "bundle" };
        });
      }
      setup.onLoad({ filter: /.*/, namespace: "bundle" }, ({ path }) => ({
        contents: `import { loadBundle } from "./load-bundle.js";\nmodule.exports = loadBundle(${JSON.stringify(path)});`,
        resolveDir: fileURLToPath(new URL(".", import.meta.url)),
        loader: "js",
      }));
    },
  };
}

/** The parser could run commands that are programs of their own; ours are not, and loading that part of Node takes time. */
export const withoutChildProcesses = {
  name: "without-child-processes",
  setup(setup) {
    setup.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("commander") ? { path: "none", namespace: "none" } : undefined,
    );
    setup.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};
