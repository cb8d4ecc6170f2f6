import { describe, expect, test } from "vitest";
import { findSecret } from "../../../src/model/value/secret-shapes.ts";
import { child, event, reported, webhook } from "../../stage/short-wishes.ts";

const code = "secret-in-file";

describe("secret-in-file", () => {
  test("is reported at the field and does not repeat the secret", () => {
    const wish = event({ description: "Scanner key: whsec_9fK2mQ7xT4vB1nZ8pL5d" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message:
          "`description` contains something that looks like a key or a secret ('whse...'), and anyone who can read the files could use it.",
        source: wish.places.description,
      },
    ]);
  });

  test("is reported for every kind, and for what only this tool reads", () => {
    const secret = "9fK2mQ7xT4vB1nZ8pL5dR3wY6sH0";
    const wish = event({ performers: [{ name: "DJ Ana", description: secret }] });
    expect(reported(wish, code)).toMatchObject([{ source: child(wish, "performer").places.description }]);
    const hook = webhook({ secretName: secret });
    expect(reported(hook, code)).toMatchObject([{ source: hook.places.secretName }]);
  });

  test("credentials in an address are reported", () => {
    const wish = webhook({ url: "https://ana:hunter2@hooks.example.com/orders" });
    expect(reported(wish, code)).toMatchObject([
      {
        message:
          "`url` contains a URL with a user name or password in it, and anyone who can read the files could use it.",
        source: wish.places.url,
      },
    ]);
    expect(reported(event({ imageUrl: "https://ana@example.com/c.jpg" }), code)).toHaveLength(1);
    expect(reported(event({ galleryUrls: ["https://a:b@example.com/c.jpg"] }), code)).toHaveLength(1);
    expect(reported(event({ description: "See https://ana:pw@example.com for more" }), code)).toHaveLength(1);
  });

  test("a secret in the query of a called address is reported", () => {
    const wish = event({ callbackUrl: "https://hooks.example.com/cb?token=a8d93kd02" });
    expect(reported(wish, code)[0]?.message).toContain("a URL with a secret in it ('token=...')");
    expect(reported(webhook({ url: "https://hooks.example.com/?s=9fK2mQ7xT4vB1nZ8pL5dR3wY6sH0" }), code)).toHaveLength(
      1,
    );
  });

  test.each([
    ["a query that gives nothing away", { callbackUrl: "https://hooks.example.com/cb?key=orders&token=manila" }],
    ["a UUID in a query", { callbackUrl: "https://h.example.com/?token=0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11" }],
    ["a hash in an image's path", { imageUrl: "https://example.com/i/5d41402abc4b2a76b9719d911017c592.jpg" }],
    ["a signed image", { imageUrl: "https://example.com/i.jpg?Signature=9fK2mQ7xT4vB1nZ8pL5dR3wY6sH0&Expires=1" }],
    ["an address with @ in its path", { imageUrl: "https://example.com/@acme/cover.jpg" }],
    ["an e-mail address", { description: "Write to a.very.long.address.for.tickets2027@acme-live.example.com" }],
    ["a venue's id", { venue: undefined, venueId: "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f" }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });

  test("the name of a secret is none", () => {
    expect(reported(webhook({ secretName: "ORDERS_WEBHOOK_SECRET_2027" }), code)).toEqual([]);
  });

  test("it may be ignored", () => {
    expect(reported(event({ description: "whsec_9fK2mQ7xT4vB1nZ8pL5d", ignore: [code] }), code)).toEqual([]);
  });
});

describe("findSecret", () => {
  test.each([
    ["a key with words in front", "acme_live_4eC39HqLyjWDarjtT1zdp7dc"],
    ["a secret by its own word", "secret_abcdefghijklmnopqrst"],
    ["a short random one", "tk_8f3a9c1e7b2d4f60"],
    ["base64", "wJalrXUtnFEMI+K7MDENG+bPxRfiCYzEXAMPLEKEY0"],
    ["hexadecimal digits", "key is 5d41402abc4b2a76b9719d911017c592, keep it"],
    ["a signed token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
  ])("sees %s", (_, text) => {
    expect(findSecret(text)).not.toBeNull();
  });

  test.each([
    ["a hashtag", "#ManilaNights2027AfterPartyWithDJAnaAndFriends"],
    ["words run together", "ManilaNights2027AfterPartyWithDJAnaAndFriends"],
    ["a slug", "manila-nights-2027-vip-early-bird-ticket-with-2-drinks"],
    ["a UUID", "order 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11"],
    ["a long word", "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"],
    ["phone numbers", "0917-555-0123-0918-555-0199-0919-555-0144"],
    ["a file with a hash", "uploads/5d41402abc4b2a76b9719d911017c592.jpg"],
    ["an address with an id in it", "https://video.example.com/watch/9fK2mQ7xT4vB1nZ8pL5dR3wY6sH0"],
    ["a rule of dashes", "--------------------------------"],
    ["a shout", "WOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOHOOOOOO"],
    ["a name with underscores", "vip_lounge_and_backstage_access_pass_2027"],
    ["a time", "2027-03-14T11:00:00.000Z to 2027-03-14T18:00:00.000Z"],
  ])("passes over %s", (_, text) => {
    expect(findSecret(text)).toBeNull();
  });
});
