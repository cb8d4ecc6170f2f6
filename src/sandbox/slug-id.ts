import { createHash } from "node:crypto";

/**
 * The id of the sandbox's own organization. Made of the slug, so that a sandbox begun anew is the same organization
 * still, and what a project has recorded about it is not taken for another's.
 */
export function idOfSlug(slug: string): string {
  const bytes = createHash("sha256").update(`organization ${slug}`).digest().subarray(0, 16);
  // The form of all other ids: a UUID of version 4.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
