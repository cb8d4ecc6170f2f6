// Ceph's gateway for S3 from Debian's packages, with a cluster of one monitor and one store in memory behind it:
// apt-get install --no-install-recommends radosgw ceph-mon ceph-osd ceph-common
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const cephKeys = { id: "ticketing-writer", secret: "ceph-secret-not-for-anyones-eyes" } as const;

export interface CephCluster {
  readonly endpoint: string;
  /** The gateway alone: what is stored stays. */
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCeph(): Promise<CephCluster> {
  const root = mkdtempSync(join(tmpdir(), "ceph-"));
  const [monPort, gatewayPort] = [await freePort(), await freePort()];
  const [fsid, osd] = [randomUUID(), randomUUID()];
  const running: ChildProcess[] = [];
  const config = join(root, "ceph.conf");
  const keyring = join(root, "keyring");
  writeFileSync(
    config,
    `[global]
fsid = ${fsid}
mon_host = v2:127.0.0.1:${monPort}/0
ms_bind_msgr1 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
keyring = ${keyring}
run_dir = ${root}
admin_socket = ${root}/$name.asok
log_file = ${root}/$name.log
mon_cluster_log_file = ${root}/cluster.log
mon_data = ${root}/mon
mon_data_avail_warn = 2
mon_data_avail_crit = 1
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_data = ${root}/osd
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
rgw_data = ${root}/rgw
`,
  );
  for (const folder of ["mon", "osd", "rgw"]) mkdirSync(join(root, folder));

  function run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
  }

  function start(program: string, ...args: readonly string[]): ChildProcess {
    const log = openSync(join(root, `${program}.out`), "a");
    const child = spawn(program, ["-c", config, ...args, "-f"], { cwd: root, stdio: ["ignore", log, log] });
    running.push(child);
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  let gateway: ChildProcess | null = null;
  async function startGateway(): Promise<void> {
    if (gateway !== null) return;
    gateway = start("radosgw", "-n", "client.admin", "--rgw_frontends", `beast endpoint=127.0.0.1:${gatewayPort}`);
    for (let tries = 200; !(await answers(gatewayPort)); tries -= 1) {
      if (tries === 0) throw new Error(`the gateway does not answer; see ${root}`);
      await sleep(200);
    }
  }

  run("ceph-authtool", "-C", keyring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *");
  const all = ["mon", "osd", "mgr"].flatMap((daemon) => ["--cap", daemon, "allow *"]);
  for (const name of ["client.admin", "osd.0"]) run("ceph-authtool", keyring, "--gen-key", "-n", name, ...all);
  run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", `[v2:127.0.0.1:${monPort}/0]`, join(root, "monmap"));
  run("ceph-mon", "-c", config, "--mkfs", "-i", "a", "--monmap", join(root, "monmap"), "--keyring", keyring);
  start("ceph-mon", "-i", "a");
  run("ceph", "-c", config, "--connect-timeout", "30", "osd", "new", osd);
  run("ceph-osd", "-c", config, "-i", "0", "--mkfs", "--osd-uuid", osd);
  start("ceph-osd", "-i", "0");
  const user = [
    "--uid",
    "ticketing",
    "--display-name",
    "ticketing",
    "--access-key",
    cephKeys.id,
    "--secret-key",
    cephKeys.secret,
  ];
  run("radosgw-admin", "-c", config, "user", "create", ...user);
  await startGateway();
  return {
    endpoint: `http://127.0.0.1:${gatewayPort}`,
    async stopGateway() {
      if (gateway !== null) await end(gateway);
      gateway = null;
    },
    startGateway,
    async stop() {
      for (const child of running.reverse()) await end(child);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    await (await fetch(`http://127.0.0.1:${port}/`)).text();
    return true;
  } catch {
    return false;
  }
}
