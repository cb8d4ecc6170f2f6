// What a service may do to text before it keeps it.
import { createHash } from "node:crypto";
import type { Profile } from "./knobs.ts";

export type TextRole = "line" | "prose" | "image";

export function keepText(text: string, role: TextRole, profile: Profile): string {
  if (role === "image") return profile.imageUrls === "rehosted" ? rehost(text) : text;
  let kept = profile.trim === "on" ? text.trim() : text;
  if (role === "prose") kept = keepMarkup(kept, profile);
  return keepLineEnds(kept, profile);
}

function keepMarkup(text: string, profile: Profile): string {
  switch (profile.html) {
    case "kept":
      return text;
    case "sanitised":
      return text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<[^<>]*>/g, "");
    case "wrapped":
      return /^<p>[\s\S]*<\/p>$/.test(text) ? text : `<p>${text}</p>`;
  }
}

function keepLineEnds(text: string, profile: Profile): string {
  switch (profile.lineEnds) {
    case "kept":
      return text;
    case "lf":
      return text.replace(/\r\n/g, "\n");
    case "crlf":
      return text.replace(/\r?\n/g, "\r\n");
  }
}

const ownHost = "https://images.sandbox.invalid/";

function rehost(url: string): string {
  if (url.startsWith(ownHost)) return url;
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return `${ownHost}${digest}/${url.split(/[?#]/)[0]?.split("/").at(-1) ?? ""}`;
}
