// State in a PostgreSQL database: for teams whose repositories, machines and jobs share one.
import { type BackendSettings, type BackendSetup, checkAgreed } from "../shared/outside.ts";
import { projectName } from "../shared/project-name.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { databaseAddress } from "./database-address.ts";
import { databaseHints } from "./database-failure.ts";
import { openStateRows } from "./state-rows.ts";

export function postgresStore(settings: BackendSettings<"postgres">, setup: BackendSetup): StateStore {
  const { schema } = settings;
  const { directory, environment, outside } = setup;
  const address = databaseAddress(outside.env);
  if (address.ok && address.value.password !== undefined) outside.keepSecret(address.value.password);
  const place = address.ok ? `the PostgreSQL schema "${schema}" on ${address.value.host}` : "PostgreSQL";
  return sharedStore({
    ...setup,
    async open() {
      if (!address.ok) return address;
      // Without either it is this project's own, whatever the file says.
      const isNamed = settings.project !== undefined || schema !== "ticketing";
      const names = [settings.project === undefined ? schema : `${schema}/${settings.project}`];
      const unagreed = isNamed ? await checkAgreed(outside, { names, sendsCredentials: false }) : null;
      if (unagreed !== null) return unagreed;
      const project = await projectName(directory, settings.project, nameIt);
      if (!project.ok) return project;
      const where = { address: address.value, schema, project: project.value, environment, migrates: true };
      return { ok: true, value: openStateRows(where) };
    },
    async openLedger(name) {
      if (!address.ok) return address;
      // No project has this name. A plan writes to the ledger too, and must not change the tables.
      const where = { address: address.value, schema, project: "", environment: name, migrates: false };
      return { ok: true, value: openStateRows(where) };
    },
    words: { place, peer: "the database", hints: databaseHints },
  });
}

const nameIt = "Name it: `state: { backend: postgres, project: … }` in ticketing.yaml.";
