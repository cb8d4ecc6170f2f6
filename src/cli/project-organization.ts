import { diskFiles } from "../config/disk-files.ts";
import { loadSettings } from "../config/load-settings.ts";

/** In whose name a sandbox serves: the project's organization, so that its files can be applied there. */
export async function projectOrganization(directory: string): Promise<{ readonly slug: string }> {
  const { settings } = await loadSettings(diskFiles(directory));
  return { slug: settings.organization ?? "sandbox" };
}
