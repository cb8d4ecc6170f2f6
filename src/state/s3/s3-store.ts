// State as objects of a bucket, in a store that speaks S3 and honors conditional writes.
import type { S3State } from "../../model/wish.ts";
import type { BackendSetup, Outside } from "../shared/outside.ts";
import { projectName } from "../shared/project-name.ts";
import type { SharedFiles, StoreResult } from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { findBucket, keySegment } from "./bucket.ts";
import { bucketHints } from "./bucket-failure.ts";
import { bucketFiles } from "./bucket-files.ts";

export function s3Store(settings: S3State, setup: BackendSetup): StateStore {
  const { directory, environment, outside } = setup;
  const folder = settings.prefix === undefined ? "" : keysBelow(settings.prefix, environment);
  const place = `s3://${settings.bucket}/${folder}`.replace(/\/$/, "");
  return sharedStore({
    ...setup,
    open: () => openS3Files(settings, directory, environment, outside),
    openLedger: (name) => openObjects(settings, `ticketing-pace/${name}/`, "pace", outside),
    words: { place, peer: "the bucket", hints: bucketHints },
  });
}

export async function openS3Files(
  settings: S3State,
  directory: string,
  environment: string,
  outside: Outside,
): Promise<StoreResult<SharedFiles>> {
  const project = await projectName(directory, settings.prefix, nameIt);
  if (!project.ok) return project;
  return openObjects(settings, keysBelow(project.value, environment), environment, outside);
}

const nameIt = "Choose what its objects begin with: `state: { backend: s3, bucket: …, prefix: … }` in ticketing.yaml.";

async function openObjects(
  settings: S3State,
  folder: string,
  environment: string,
  outside: Outside,
): Promise<StoreResult<SharedFiles>> {
  const place = await findBucket(settings, outside);
  if (!place.ok) return place;
  const name = `s3://${settings.bucket}/${folder.replace(/\/$/, "")}`;
  return { ok: true, value: bucketFiles(place.value, folder, name, environment, outside) };
}

function keysBelow(prefix: string, environment: string): string {
  return `${[...prefix.split("/").filter(Boolean), environment].map(keySegment).join("/")}/`;
}
