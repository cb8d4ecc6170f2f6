/** The six kinds of object a project describes. */
export type KindName = "event" | "ticket" | "performer" | "schedule" | "brand" | "webhook";
