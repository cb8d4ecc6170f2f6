// One plan with everything that a page of it must show: edits, a deletion, a new event, a series, blocks, and hostile text.
import type { Seed } from "../../src/sandbox/index.ts";
import { planOf, type Staged } from "./plan-of.ts";

const hostileName = `<img src=x onerror="alert(1)"></style><script>alert(2)</script> ' " & \u202e`;

const liveHall = "5a9db0c0-7e1d-4b0e-8f00-000000000003";

function id(letter: string, number: number): string {
  return `${letter.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

const times = { createdAt: "2027-01-01T00:00:00.000Z", updatedAt: "2027-01-01T00:00:00.000Z" };

const live: Seed = {
  events: [
    {
      id: id("a", 1),
      name: "Bayside Sounds",
      dateTime: "2027-04-10T06:00:00.000Z",
      endDateTime: "2027-04-11T15:30:00.000Z",
      description: "Two days of music by the bay.\nGates open at 14:00.",
      status: "PUBLISHED",
      slug: "bayside-sounds",
      venueId: liveHall,
      imageUrl: "https://images.example.com/cover.jpg",
      absorbFees: true,
      ...times,
      tickets: [
        { id: id("b", 1), name: "Weekend Pass", price: 3500, quantity: 2400, remainingQuantity: 1900, published: true },
        { id: id("b", 2), name: "Student Pass", price: 2200, quantity: 400, remainingQuantity: 400, published: true },
        { id: id("b", 3), name: "Camping", price: 900, quantity: 100, remainingQuantity: 100, published: false },
      ],
      performers: [
        { id: id("c", 1), name: "Luna Marea", type: "ARTIST", imageUrl: "https://images.example.com/luna.jpg" },
        { id: id("c", 2), name: "DJ Tala", type: "DJ", description: "House and disco." },
      ],
      schedules: [
        entry(1, "Gates open", "10T06:00", "10T07:00", "#2E86AB"),
        { ...entry(2, "Luna Marea", "10T07:00", "10T09:00", "#F26419"), performerId: id("c", 1) },
        { ...entry(3, "DJ Tala", "10T08:00", "10T10:00", "#FFD23F"), performerId: id("c", 2) },
        entry(4, "Yoga", "11T02:00", "11T03:00", null),
      ],
      brands: [{ id: id("e", 1), name: "Tubig", url: "https://tubig.example", description: "Free water." }],
    },
    {
      id: id("a", 2),
      name: "Last Summer",
      dateTime: "2027-02-01T10:00:00.000Z",
      status: "DRAFT",
      slug: "last-summer",
      ...times,
      tickets: [{ id: id("b", 9), name: "GA", price: 300, quantity: 50, remainingQuantity: 50, published: false }],
    },
    {
      id: id("a", 3),
      name: "Hostile",
      dateTime: "2027-05-01T10:00:00.000Z",
      status: "DRAFT",
      slug: "hostile",
      description: "</style><script>alert(3)</script>",
      imageUrl: "javascript:alert(4)",
      ...times,
      brands: [{ id: id("e", 2), name: hostileName, url: "javascript:alert(5)" }],
      schedules: [entry(9, hostileName, "14T06:00", "14T07:00", "#fff;background:url(https://evil.example)")],
    },
    ...[5, 12, 19].map((day, index) => ({
      id: id("a", 10 + index),
      name: "Friday Club",
      dateTime: `2027-03-${String(day).padStart(2, "0")}T14:00:00.000Z`,
      endDateTime: `2027-03-${String(day).padStart(2, "0")}T20:00:00.000Z`,
      status: "PUBLISHED" as const,
      slug: `friday-club-${index}`,
      ...times,
      tickets: [
        {
          id: id("b", 20 + index),
          name: "Door",
          price: 500,
          quantity: 300,
          remainingQuantity: 300 - index * 20,
          published: true,
        },
      ],
    })),
  ],
} as unknown as Seed;

function entry(number: number, title: string, from: string, to: string, color: string | null) {
  const at = (time: string) => `2027-04-${time}:00.000Z`;
  return { id: id("d", number), title, startTime: at(from), endTime: at(to), color };
}

const bayside = `
id: ${id("a", 1)}
name: Bayside Sounds 2027
renamedFrom: Bayside Sounds
dateTime: 2027-04-10T14:00
endDateTime: 2027-04-11T23:30
description: |-
  Three days of music by the bay.
  Gates open at 14:00.
venue: { name: Palace, city: Baguio }
imageUrl: https://images.example.com/new-cover.jpg
galleryUrls: [https://images.example.com/1.jpg]
eventCapacity: 3000
tickets:
  - { name: Weekend Pass, price: 3900, quantity: 2500, published: true }
  - { name: Camping, price: 900, quantity: 100, published: true }
  - { name: VIP Deck, type: VIP, price: 9500, quantity: 200, published: true }
performers:
  - { name: Luna Marea, type: ARTIST, imageUrl: https://images.example.com/luna.jpg }
  - { name: DJ Tala, type: DJ, description: House and disco until late. }
  - { name: Tala Trio, type: ARTIST }
schedules:
  - { title: Gates open, startTime: 2027-04-10T14:00, endTime: 2027-04-10T15:00, color: "#2E86AB" }
  - { title: Luna Marea, startTime: 2027-04-10T15:30, endTime: 2027-04-10T17:00, color: "#F26419", performer: Luna Marea }
  - { title: DJ Tala, startTime: 2027-04-10T16:00, endTime: 2027-04-10T18:00, color: "#FFD23F", performer: DJ Tala }
  - { title: Small stage, startTime: 2027-04-10T16:00, endTime: 2027-04-10T16:30, color: "#1B1B3A", performer: Tala Trio }
  - { title: Yoga, startTime: 2027-04-11T10:00, endTime: 2027-04-11T11:00 }
brands:
  - { name: Tubig, url: https://tubig.example, description: Free water. }
`;

const hostile = `
id: ${id("a", 3)}
name: ${JSON.stringify(hostileName)}
renamedFrom: Hostile
dateTime: 2027-05-01T18:00
description: "</style><script>alert(6)</script>\\u202e"
brands: []
schedules: []
`;

const club = `
name: Friday Club
status: PUBLISHED
dateTime: 22:00
endDateTime: +6h
series: { every: friday, from: 2027-03-05, until: 2027-04-02, skip: [2027-03-12] }
tickets:
  - { name: Door, price: 600, quantity: 300, published: true }
`;

const fresh = `
name: Open Air
status: PUBLISHED
dateTime: 2027-06-01T18:00
venueId: 5a9db0c0-7e1d-4b0e-8f00-000000000004
imageUrl: https://images.example.com/open.jpg?token=secret
tickets: [{ name: GA, price: 0, quantity: 50, published: true }]
`;

const before = {
  "ticketing.yaml": "version: 1\n",
  "events/last-summer.yaml": "name: Last Summer\ndateTime: 2027-02-01T18:00\n",
};
const clubThen = club.replace(", skip: [2027-03-12]", "").replace("600", "500").replace("2027-04-02", "2027-03-19");

export function seasonPlan(): Promise<Staged> {
  return planOf({
    live,
    allow: ["price-change-with-sales", "delete-event"],
    base: { ...before, "events/friday-club.yaml": clubThen },
    files: {
      "ticketing.yaml": "version: 1\n",
      "events/bayside.yaml": bayside,
      "events/hostile.yaml": hostile,
      "events/friday-club.yaml": club,
      "events/open-air.yaml": fresh,
    },
  });
}
