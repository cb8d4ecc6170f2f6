import { configDefaults, defineConfig } from "vitest/config";
import stores from "../vitest.config.ts";

// Needs Ceph: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd ceph-common
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: { ...stores.test, include: ["test/stores/ceph/*.test.ts"], exclude: configDefaults.exclude },
});
