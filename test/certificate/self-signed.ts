// A certificate that no one vouches for. It is kept rather than made, because tests need nothing but Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const keyFile = join(import.meta.dirname, "key.pem");
export const certificateFile = join(import.meta.dirname, "certificate.pem");

export function selfSigned(): { readonly key: string; readonly cert: string } {
  return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certificateFile, "utf8") };
}
