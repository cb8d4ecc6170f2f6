// A live organization in which everything occurs that a file must be able to say.
import type { Seed } from "../../src/sandbox/index.ts";

const venue = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";

function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export const twinTickets = { balcony: id(11), floor: id(12), copy: id(13) };
export const eventIds = {
  festival: id(1),
  online: id(2),
  bare: id(3),
  twinOne: id(4),
  twinTwo: id(5),
  archived: id(6),
};

const longText = "<p>Every act is <b>live</b>, every seat has a view, and every ticket comes with a drink.</p> "
  .repeat(9)
  .trim();

export const organization: Seed = {
  events: [
    {
      id: eventIds.festival,
      slug: "bayside-sounds",
      name: 'Bayside: "Sounds" 2027 # one & only',
      status: "PUBLISHED",
      dateTime: "2027-03-14T11:00:30.123Z",
      endDateTime: "2027-03-15T15:30:00.000Z",
      description:
        'First line: with colon\n\n  - indented dash\n"quoted" and ${HOME} and $${x} and ${a${b}\n\ttab\nlast # line',
      venueId: venue,
      imageUrl: "https://images.example.com/cover.jpg?width=1200#top",
      galleryUrls: ["https://images.example.com/2.jpg", "https://images.example.com/1.jpg"],
      eventCapacity: 3000,
      timezone: "Asia/Tokyo",
      absorbFees: false,
      callbackUrl: "https://hooks.example.com/bayside",
      tickets: [
        {
          id: twinTickets.balcony,
          name: "Seat",
          section: "Balcony",
          row: "A",
          type: "RESERVED_SEAT",
          price: 2500,
          quantity: 20,
          published: true,
        },
        {
          id: twinTickets.floor,
          name: "Seat",
          section: "Floor",
          row: "A",
          type: "RESERVED_SEAT",
          price: 3500,
          quantity: 30,
          published: true,
        },
        { id: twinTickets.copy, name: "seat", section: "floor", row: "a", price: 3500, quantity: 30, published: false },
        { name: "2027", price: 0, quantity: 5, published: true, maximumPurchaseQuantity: 5 },
        { name: "true", price: 1500, quantity: 100, published: true, sold: 40 },
        { name: "Early Bird", price: 900, quantity: 50, published: true, sold: 10, remainingQuantity: 0 },
        { name: "@ the door", type: "VIP", price: 4500, quantity: 200, maximumPurchaseQuantity: 4, published: false },
      ],
      performers: [
        { name: "林檎 ライブ", type: "ARTIST", description: longText },
        { name: "- dash", type: "DJ" },
        { name: "null" },
        { name: "DJ Ana", type: "DJ" },
        { name: "dj ana", type: "HOST", imageUrl: "https://images.example.com/ana.jpg" },
      ],
      schedules: [
        {
          title: "Doors: 19:00",
          startTime: "2027-03-14T11:00:00Z",
          endTime: "2027-03-14T12:00:00Z",
          icon: "door",
          color: "#Ff8800",
        },
        { title: "林檎", startTime: "2027-03-14T12:00:00Z", endTime: "2027-03-14T13:00:00Z", performer: "林檎 ライブ" },
        {
          title: "yes",
          startTime: "2027-03-14T13:00:00Z",
          endTime: "2027-03-14T14:00:00Z",
          performer: "null",
          description: "on",
        },
        { title: "yes", startTime: "2027-03-14T14:00:00Z", endTime: "2027-03-14T15:00:00Z", performer: "dj ana" },
        { title: "🎉 Party 👨‍👩‍👧", startTime: "2027-03-14T14:00:00Z", endTime: "2027-03-14T15:00:00Z" },
      ],
      brands: [
        { name: "San Miguel", url: "https://example.com", description: "Partner, since 2019: {cold} [beer]" },
        { name: "1_000", imageUrl: "https://images.example.com/brands/1000.png" },
        { name: "~" },
      ],
    },
    {
      id: eventIds.online,
      slug: "nul",
      name: "Stream",
      status: "DRAFT",
      dateTime: "2027-05-01T02:00:00Z",
      locationType: "ONLINE",
      type: "FREE",
      journeyType: "RSVP",
      visibility: "PRIVATE",
      tickets: [{ name: "RSVP", price: 0, quantity: 100, published: true }],
    },
    { id: eventIds.bare, slug: "東京の夜", name: "東京の夜", status: "DRAFT", dateTime: "2027-06-01T11:00:00Z" },
    {
      id: eventIds.twinOne,
      slug: "jazz-night",
      name: "Jazz Night",
      status: "PUBLISHED",
      dateTime: "2027-02-05T11:00:00Z",
      tickets: [{ name: "GA", published: true }],
    },
    {
      id: eventIds.twinTwo,
      slug: "Jazz Night!",
      name: "Jazz Night",
      status: "DRAFT",
      dateTime: "2027-02-05T11:00:00Z",
      tickets: [{ name: "GA", price: 1600 }],
    },
    {
      id: eventIds.archived,
      slug: "old-times",
      name: "Old Times",
      status: "ARCHIVED",
      dateTime: "2024-01-05T11:00:00Z",
      tickets: [{ name: "GA", sold: 100, published: true }],
      performers: [{ name: "Was there" }],
    },
  ],
  webhooks: [
    { url: "https://hooks.example.com/orders", events: ["order.refunded", "order.completed"], isActive: true },
    { url: "https://hooks.example.com/inventory", events: ["ticket.inventory_low"], isActive: false },
  ],
};
