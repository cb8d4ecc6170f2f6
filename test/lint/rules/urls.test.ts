import { describe, expect, test } from "vitest";
import { child, event, reported } from "../../stage/short-wishes.ts";

describe("not-a-public-url", () => {
  const code = "not-a-public-url";

  test("is reported at the field", () => {
    const wish = event({ imageUrl: "posters/cover.jpg" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: "Buyers cannot open posters/cover.jpg: it does not begin with https://.",
        hint: "Put the image on a public site and use its https URL.",
        source: wish.places.imageUrl,
      },
    ]);
  });

  test.each([
    ["/cover.jpg", "it does not begin with https://"],
    ["//cdn.example.com/cover.jpg", "it does not begin with https://"],
    ["data:image/png;base64,AAAA", "it begins with data: instead of https://"],
    ["file:///home/ana/cover.jpg", "it begins with file: instead of https://"],
    ["http://localhost:3000/cover.jpg", "it points to the local computer"],
    ["https://dev.localhost/cover.jpg", "it points to the local computer"],
    ["https://127.0.0.1/cover.jpg", "it points to the local computer"],
    ["https://2130706433/cover.jpg", "it points to the local computer"],
    ["https://[::1]/cover.jpg", "it points to the local computer"],
    ["https://10.1.2.3/cover.jpg", "it points to a private network"],
    ["https://172.31.0.1/cover.jpg", "it points to a private network"],
    ["https://192.168.1.20/cover.jpg", "it points to a private network"],
    ["https://169.254.169.254/cover.jpg", "it points to a private network"],
    ["https://100.64.0.1/cover.jpg", "it points to a private network"],
    ["https://[fd00::1]/cover.jpg", "it points to a private network"],
    ["https://[fe80::1]/cover.jpg", "it points to a private network"],
    ["https://[::ffff:192.168.1.20]/cover.jpg", "it points to a private network"],
    ["https://nas/cover.jpg", "it points to a private network"],
    ["https://nas.local/cover.jpg", "it points to a private network"],
  ])("%s: %s", (imageUrl, why) => {
    expect(reported(event({ imageUrl }), code)[0]?.message).toContain(`: ${why}.`);
    expect(reported(event({ imageUrl }), "http-image")).toEqual([]);
  });

  test.each([
    "https://example.com/cover.jpg",
    "https://172.32.0.1/cover.jpg",
    "https://11.0.0.1/cover.jpg",
    "https://[2606:4700::1111]/cover.jpg",
    "https://localhost.example.com/cover.jpg",
    "https://10.example.com/cover.jpg",
  ])("%s is public", (imageUrl) => {
    expect(reported(event({ imageUrl }), code)).toEqual([]);
  });

  test("an address that only lacks its https:// gets it", () => {
    expect(reported(event({ imageUrl: "www.example.com/cover.jpg" }), code)[0]?.hint).toBe(
      "Write https://www.example.com/cover.jpg if that is the right URL.",
    );
  });

  test("is reported in galleries, performers and brands", () => {
    const wish = event({
      galleryUrls: ["https://example.com/1.jpg", "2.jpg"],
      performers: [{ name: "DJ Ana", imageUrl: "ana.jpg" }],
      brands: [{ name: "ACME", url: "acme", imageUrl: "https://example.com/a.png" }],
    });
    expect(reported(wish, code).map(({ source }) => source)).toEqual([
      wish.places.galleryUrls,
      child(wish, "performer").places.imageUrl,
      child(wish, "brand").places.url,
    ]);
  });

  test("an item of a gallery is reported at its own place where that is known", () => {
    const built = event({ galleryUrls: ["https://example.com/1.jpg", "2.jpg"] });
    const place = { file: built.source.file, line: 77, column: 7 };
    const wish = { ...built, places: { ...built.places, "galleryUrls/1": place } };
    expect(reported(wish, code)).toMatchObject([{ source: place }]);
  });

  test("a cleared address is fine", () => {
    expect(reported(event({ imageUrl: null, galleryUrls: [] }), code)).toEqual([]);
  });
});

describe("http-image", () => {
  const code = "http-image";

  test("is reported at the image", () => {
    const wish = event({ imageUrl: "http://example.com/cover.jpg" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: "http://example.com/cover.jpg is not https, and many browsers and apps will not show it.",
        source: wish.places.imageUrl,
      },
    ]);
  });

  test("https, and a brand's plain website, are fine", () => {
    expect(reported(event({ brands: [{ name: "ACME", url: "http://example.com" }] }), code)).toEqual([]);
  });
});

describe("expiring-image-link", () => {
  const code = "expiring-image-link";

  test("is reported at the image, without its query", () => {
    const wish = event({ imageUrl: "https://bucket.example.com/c.jpg?X-Abc-Expires=900&X-Abc-Signature=ab12" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: "https://bucket.example.com/c.jpg will stop working: its signature expires.",
        source: wish.places.imageUrl,
      },
    ]);
  });

  test.each([
    "https://cdn.example.com/c.jpg?Expires=1700000000&Signature=ab&Key-Pair-Id=K1",
    "https://store.example.com/c.jpg?sv=2022&se=2027-01-01&sig=abc",
    "https://cdn.example.com/c.jpg?ex=65f&is=65e&hm=abc",
    "https://scontent.fbcdn.net/v/c.jpg",
    "https://www.instagram.com/p/abc/media",
  ])("%s", (imageUrl) => {
    expect(reported(event({ imageUrl }), code)).toHaveLength(1);
  });

  test.each([
    "https://example.com/c.jpg?v=3&width=1200",
    "https://example.com/c.jpg?expires=never",
    "https://example.com/c.jpg?signature=gold",
    "https://notfacebook.com/c.jpg",
    "https://max.com/c.jpg",
  ])("%s lasts", (imageUrl) => {
    expect(reported(event({ imageUrl }), code)).toEqual([]);
  });

  test("a brand's page on a social network is fine", () => {
    expect(reported(event({ brands: [{ name: "ACME", url: "https://www.facebook.com/acme" }] }), code)).toEqual([]);
  });
});
