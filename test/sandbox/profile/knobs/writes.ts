import { type Open, party } from "../../open.ts";
import { colored, doors, inline, keysOf, namesOf, type Probes, threeTickets } from "./probe.ts";

async function described({ event, get }: Open, description: string): Promise<string> {
  return (await get(`/events/${(await event({ description })).id}`)).body.data.description;
}

async function twins({ event, post, pass }: Open): Promise<number[]> {
  const { id } = await event({ tickets: inline("GA") });
  pass(1);
  const answers = [
    await post("/events", party),
    await post("/events", { ...party, dateTime: "2028-01-01" }),
    await post(`/events/${id}/tickets`, { name: "GA", price: 1, quantity: 1 }),
    await post(`/events/${id}/tickets`, { name: "GA", price: 1, quantity: 1, section: "B" }),
  ];
  for (const kind of ["performers", "brands", "schedules"]) {
    await post(`/events/${id}/${kind}`, { name: "N", ...doors });
    answers.push(await post(`/events/${id}/${kind}`, { name: "N", ...doors }));
  }
  return answers.map(({ status }) => status);
}

export const writesProbes: Pick<
  Probes,
  | "publishedDefault"
  | "ticketsInPatch"
  | "inlineOnFault"
  | "clearing"
  | "emptyText"
  | "trim"
  | "html"
  | "lineEnds"
  | "imageUrls"
  | "malformedColor"
  | "timeOrder"
  | "nakedTimes"
  | "formatChecks"
  | "uniqueNames"
  | "venueIds"
  | "writeResponse"
  | "createResponse"
  | "oneRecord"
  | "unknownFields"
> = {
  venueIds: {
    probe: async ({ post }) =>
      (await post("/events", { ...party, venueId: "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11" })).status,
    shows: { found: 400, any: 201 },
  },
  publishedDefault: {
    probe: async ({ event, ticket }) => (await ticket((await event()).id)).published,
    shows: { false: false, true: true },
  },
  ticketsInPatch: {
    async probe(opened) {
      const id = await threeTickets(opened);
      const { status } = await opened.patch(`/events/${id}`, { tickets: inline("D"), name: "Other" });
      return [status, namesOf(await opened.get(`/events/${id}/tickets`))];
    },
    shows: { ignored: [200, "A B C"], appended: [200, "A B C D"], replaced: [200, "D"], refused: [400, "A B C"] },
  },
  inlineOnFault: {
    async probe({ service, post, get }) {
      service.control.addFault({ kind: "response-lost", method: "POST" });
      await post("/events", { ...party, tickets: inline("A", "B", "C") });
      const [event] = (await get("/events")).body.data;
      return namesOf(await get(`/events/${event.id}/tickets`));
    },
    shows: { all: "A B C", some: "A" },
  },
  clearing: {
    async probe({ event, patch, get }) {
      const { id } = await event({ description: "Text" });
      const { status } = await patch(`/events/${id}`, { description: null });
      return [status, (await get(`/events/${id}`)).body.data.description];
    },
    shows: { accepted: [200, null], refused: [400, "Text"], ignored: [200, "Text"] },
  },
  emptyText: {
    async probe({ event, patch, get }) {
      const { id } = await event({ description: "Text" });
      const { status } = await patch(`/events/${id}`, { description: "" });
      return [status, (await get(`/events/${id}`)).body.data.description];
    },
    shows: { null: [200, null], kept: [200, ""], refused: [400, "Text"] },
  },
  trim: {
    probe: (opened) => described(opened, " a  b \n"),
    shows: { off: " a  b \n", on: "a  b", collapse: "a b" },
  },
  html: {
    probe: (opened) => described(opened, "<b>a</b><script>b</script> < c"),
    shows: {
      kept: "<b>a</b><script>b</script> < c",
      sanitized: "a < c",
      wrapped: "<p><b>a</b><script>b</script> < c</p>",
    },
  },
  lineEnds: {
    probe: (opened) => described(opened, "a\r\nb\nc"),
    shows: { kept: "a\r\nb\nc", lf: "a\nb\nc", crlf: "a\r\nb\r\nc" },
  },
  imageUrls: {
    async probe({ event }) {
      const { imageUrl, galleryUrls } = await event({
        imageUrl: "https://x.example/a.png?b",
        galleryUrls: ["https://x.example/c.png"],
      });
      return [imageUrl, ...galleryUrls].map((url) => url.replace(/[0-9a-f]{16}/, "#"));
    },
    shows: {
      kept: ["https://x.example/a.png?b", "https://x.example/c.png"],
      rehosted: ["https://images.sandbox.invalid/#/a.png", "https://images.sandbox.invalid/#/c.png"],
    },
  },
  malformedColor: { probe: (opened) => colored(opened, "#f00"), shows: { refused: 400, accepted: "#f00" } },
  timeOrder: {
    async probe({ event, post }) {
      const { id } = await event();
      const backwards = { ...doors, endTime: doors.startTime };
      return [
        (await post("/events", { ...party, endDateTime: party.dateTime })).status,
        (await post(`/events/${id}/schedules`, backwards)).status,
      ];
    },
    shows: { refused: [400, 400], accepted: [201, 201] },
  },
  nakedTimes: {
    async probe({ post }) {
      const { body, status } = await post("/events", { ...party, dateTime: "2027-03-14T19:00" });
      return body.data?.dateTime ?? status;
    },
    shows: { utc: "2027-03-14T19:00:00.000Z", refused: 400 },
  },
  formatChecks: {
    async probe({ post }) {
      const tries = [
        { name: "x".repeat(256) },
        { timezone: "GMT+8" },
        { imageUrl: "cover.png" },
        { callbackUrl: "me" },
      ];
      const answers = [];
      for (const fields of tries) answers.push((await post("/events", { ...party, ...fields })).status);
      return answers;
    },
    shows: { stated: [201, 201, 201, 201], all: [400, 400, 400, 400] },
  },
  uniqueNames: {
    probe: twins,
    shows: {
      no: [201, 201, 201, 201, 201, 201, 201],
      "with-start": [400, 201, 400, 201, 201, 201, 201],
      yes: [400, 400, 400, 400, 400, 400, 400],
    },
  },
  writeResponse: {
    async probe({ event, patch, post, del }) {
      const { id } = await event();
      const answers = [
        await patch(`/events/${id}`, { name: "Other", dateTime: "2027-03-14T19:00+08:00" }),
        await post(`/events/${id}/publish`),
      ];
      await post(`/events/${id}/unpublish`);
      answers.push(await del(`/events/${id}`));
      return answers.map(({ status, body }) => [
        status,
        body === "" ? "" : body.data && (body.data.dateTime ?? keysOf(body.data).length > 2),
      ]);
    },
    shows: {
      record: [
        [200, "2027-03-14T11:00:00.000Z"],
        [200, "2027-03-14T11:00:00.000Z"],
        [200, true],
      ],
      echo: [
        [200, "2027-03-14T19:00+08:00"],
        [200, "2027-03-14T11:00:00.000Z"],
        [200, true],
      ],
      partial: [
        [200, false],
        [200, false],
        [200, false],
      ],
      null: [
        [200, null],
        [200, null],
        [200, null],
      ],
      204: [
        [204, ""],
        [204, ""],
        [204, ""],
      ],
    },
  },
  createResponse: {
    async probe({ post }) {
      const { data } = (await post("/events", { ...party, dateTime: "2027-03-14T19:00+08:00" })).body;
      return data && (keysOf(data) === "id" ? "id" : data.dateTime);
    },
    shows: { record: "2027-03-14T11:00:00.000Z", echo: "2027-03-14T19:00+08:00", partial: "id", null: null },
  },
  oneRecord: {
    async probe({ post, get, del }) {
      const made = (await post("/webhooks", { url: "https://example.com/a", events: ["order.completed"] })).body.data;
      const event = (await post("/events", party)).body.data;
      const { id } = event.event ?? event;
      const read = (await get(`/events/${id}`)).body.data;
      const gone = (await del(`/events/${id}`)).body.data;
      return [keysOf(made), keysOf(event), keysOf(read)]
        .map((keys) => (keys.includes("id ") ? "record" : keys))
        .concat(gone.id === id ? "gone" : "");
    },
    shows: { bare: ["record", "record", "record", "gone"], named: ["secret webhook", "event", "event", "gone"] },
  },
  unknownFields: {
    async probe({ post }) {
      return (await post("/events", { ...party, colour: "red", tickets: [{ ...inline("A")[0], seat: 1 }] })).status;
    },
    shows: { dropped: 201, refused: 400 },
  },
};
